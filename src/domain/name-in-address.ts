/** Last segment of an address, as a file name. */
export function nameInAddress(url: string): string {
  const last = /(?<![^/?#])([^/?#]+)(?:[?#][\s\S]*)?$/.exec(url)?.[1] ?? url
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
