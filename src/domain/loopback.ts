/**
 * The URL parser writes every IPv4 address as four decimal numbers, so a name that only begins with `127.` does not
 * match.
 */
const loopbackIpv4 = /^127(\.\d{1,3}){3}$/

/** Whether a parsed host name is this machine, unreachable for all others. */
const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || loopbackIpv4.test(hostname)

/** The same for a whole address; false for text that is not an address. */
export const isLoopbackAddress = (address: string): boolean =>
  URL.canParse(address) && isLoopbackName(new URL(address).hostname)
