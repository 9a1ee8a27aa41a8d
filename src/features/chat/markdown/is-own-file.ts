import type {MediaPolicy} from './media-origins.ts'

/** Whether an address is one of our files. `url` is parsed, so its path contains no `..`. */
export const isOwnFile = (url: URL, {ownFiles}: Pick<MediaPolicy, 'ownFiles'>) =>
  ownFiles.some((base) => `${url.origin}${url.pathname}`.startsWith(base))
