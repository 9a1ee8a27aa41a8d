/** Last part of an address, as the name of what it leads to. */
export function nameInAddress(url: string): string {
  const last = /([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] ?? url
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
