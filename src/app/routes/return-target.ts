import {safeReturnPath} from '#domain/safe-return-path.ts'

/** Target after a login: the local page where it started (security R12), else the start page. */
export const returnTarget = ({redirect}: {redirect?: string}): string =>
  safeReturnPath(redirect, location.origin) ?? '/'
