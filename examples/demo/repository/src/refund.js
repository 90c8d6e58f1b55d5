/** The sum of amounts in cents, rounded to whole euros. A half is rounded away from zero. */
export function refund(cents) {
  const sum = cents.reduce((left, right) => left + right, 0);
  return Math.round(sum / 100);
}
