import {loginFrameUrl} from '#api/oauth.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {currentInviter} from './current-inviter.ts'
import type {RootDeps} from './root-deps.ts'

/** Addresses of the embedded login page. Each is an attempt of its own, kept in memory only (security R09, R14). */
export function loginFrameAddress(deps: RootDeps, site: () => SiteActor | undefined) {
  const {config, cookies} = deps
  const isOurs = config.capabilities.includes('pkce')
  let state: string | undefined
  return {
    /** `state` of the attempt that is shown; a foreign auth service knows none. */
    state: () => state,
    open: () => {
      const inviterId = currentInviter(deps, site())
      if (!isOurs) return loginFrameUrl({auth: config.auth, inviterId})
      state = deps.createSecret()
      const {locale, theme} = cookies.read()
      const extension = {parentOrigin: deps.address().origin, state, language: locale, theme}
      return loginFrameUrl({auth: config.auth, inviterId, extension})
    },
  }
}
