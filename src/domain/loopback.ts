/** Whether a host name means the machine itself: nothing else in the network reaches it. */
const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)

/** The same for a whole address; text that is no address is none. */
export const isLoopbackAddress = (address: string): boolean =>
  URL.canParse(address) && isLoopbackName(new URL(address).hostname)
