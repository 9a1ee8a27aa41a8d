import {safeReturnPath} from '#domain/safe-return-path.ts'

/** Where a login ends: the local page it was started from (security R12), else the start page. */
export const returnTarget = ({redirect}: {redirect?: string}): string =>
  safeReturnPath(redirect, location.origin) ?? '/'
