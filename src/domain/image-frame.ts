/** The page of our server that shows one image of another host (decision 173). The service worker names it too. */
export const imageFramePath = '/image-frame.html'

/** Origins of this device that a policy can name. */
const ownDevice = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/

/** Sources of the frame's images on a page of this origin, as its policy names them. */
export const frameImageSources = (pageOrigin: string): readonly string[] =>
  ownDevice.test(pageOrigin) ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*'] : ['https:']

/**
 * Whether the frame may show this image: over https, or of a server on this device for an installation on it. Never of
 * the page's own host, which takes no address from a model.
 */
export const isForFrame = ({protocol, origin}: URL, pageOrigin: string): boolean =>
  origin !== pageOrigin && (protocol === 'https:' || (ownDevice.test(origin) && ownDevice.test(pageOrigin)))
