/** The URL parser writes every IPv4 address as four decimal numbers, so a name that only begins with `127.` does not match. */
const loopbackIpv4 = /^127(\.\d{1,3}){3}$/

/** Whether a parsed host name means the machine itself: nothing else in the network reaches it. */
const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || loopbackIpv4.test(hostname)

/** The same for a whole address; text that is no address is none. */
export const isLoopbackAddress = (address: string): boolean =>
  URL.canParse(address) && isLoopbackName(new URL(address).hostname)
