/** Marks of an axis from zero, at round values; the last is at least the highest value. */
export function niceScale(highest: number, isWhole: boolean): number[] {
  if (!(highest > 0)) return [0, 1]
  const rough = highest / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step =
    [1, 2, 2.5, 4, 5, 8, 10].map((factor) => factor * power).find((size) => size >= rough * (1 - 1e-9)) ?? rough
  const size = isWhole ? Math.max(1, Math.ceil(step)) : step
  const count = Math.max(1, Math.ceil(highest / size - 1e-9))
  return Array.from({length: count + 1}, (_, index) => index * size)
}
