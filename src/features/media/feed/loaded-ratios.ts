/** Width over height of what was loaded and whose size no answer told, by its address. */
const ratios = new Map<string, number>()
/** Far more than are looked at in one visit. */
const mostKept = 2_000

export const loadedRatio = (url: string | undefined): number | undefined =>
  url === undefined ? undefined : ratios.get(url)

/** Returns whether this was not known. */
export function keepLoadedRatio(url: string, width: number, height: number): boolean {
  if (width <= 0 || height <= 0 || ratios.has(url)) return false
  if (ratios.size >= mostKept) ratios.clear()
  ratios.set(url, width / height)
  return true
}
