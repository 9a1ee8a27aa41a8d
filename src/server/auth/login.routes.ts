import {passwordLengths} from '#contract/account.ts'
import {z} from '#contract/schema.ts'
import type {ServerDeps} from '../deps.ts'
import {forbidden, HttpFailure} from '../http/failure.ts'
import {createLimits} from '../http/limits.ts'
import {route, type Route} from '../http/route.ts'
import {formToken, formCookieName, isOwnForm} from './form-token.ts'
import {handoverCookieName, handoverSeconds, issueHandover, spendHandover} from './handover.ts'
import {invitersOf} from './inviters.ts'
import {issueCode} from './login-codes.ts'
import {leave, pageResponse, readLoginView, setCookie, type LoginView} from './login-view.ts'
import {isAllowedOrigin} from './origins.ts'
import {closedPage, loginPage, registerPage, type FormError} from './pages/forms.ts'
import {refusedPage, signedInPage} from './pages/notices.ts'
import {text} from './pages/page.ts'
import {parseRedirectUri, withCode} from './redirect-uri.ts'
import {hasNoAccount, refusalOf, type RegistrationRefusal} from './registration.ts'
import {issueTokens} from './tokens.ts'
import {checkPassword, createUser, isEmail, normalizeEmail} from './users.ts'

type Kind = 'login' | 'register'

/** Fields are checked by hand: what is wrong is said beside the field, in the page's language. */
const formBody = z.object({
  form_token: z.optional(z.string()),
  email: z.optional(z.string()),
  password: z.optional(z.string()),
})
type Form = z.infer<typeof formBody>

/** A refusal because too many sign in at once is an answer; any other failure is thrown. */
function asBusy(error: unknown): HttpFailure {
  if (error instanceof HttpFailure && error.code === 'busy') return error
  throw error
}

/** The pages people see: sign-in, registration and sign-out (spec §4, §6, §7). */
export function loginRoutes(deps: ServerDeps): Route[] {
  // Wrong passwords of one account from one address; the router counts all attempts of an address (security R33). Not the
  // account alone: with that, anybody could keep its owner out by guessing.
  const failures = createLimits(deps)

  const refusalFor = async ({
    login,
  }: LoginView): Promise<{isFirst: boolean; refusal: RegistrationRefusal | undefined}> => {
    const isFirst = await hasNoAccount(deps)
    const setup = 'refused' in login ? undefined : login.query.setup
    return {isFirst, refusal: refusalOf(deps, {isFirst, setup})}
  }

  const show = async (
    view: LoginView,
    kind: Kind,
    {
      status = 200,
      email = '',
      errors = [],
      headers = {},
    }: {status?: number; email?: string; errors?: readonly FormError[]; headers?: Record<string, string>} = {},
  ): Promise<Response> => {
    const state = {token: formToken(deps, view.formCookie), email, errors}
    const {isFirst, refusal} = await refusalFor(view)
    if (kind === 'login') return pageResponse(view, loginPage(view.page, {...state, refusal}), {status, headers})
    return refusal === undefined
      ? pageResponse(view, registerPage(view.page, {...state, first: isFirst}), {status, headers})
      : pageResponse(view, closedPage(view.page, refusal), {status: 403})
  }

  const refuse = (view: LoginView, name: string) => pageResponse(view, refusedPage(view.page, name), {status: 400})

  /** Hands the proof of who it is to where the login came from. */
  const complete = async (view: LoginView, userId: string): Promise<Response> => {
    const {page, login} = view
    const {target} = page
    if (target.kind === 'redirect') {
      const {redirectUri, challenge} = target
      const code = await issueCode(deps, {userId, redirectUri, challenge})
      const state = 'refused' in login ? undefined : login.query.state
      return leave(withCode(redirectUri, code, state), [setCookie(view, handoverCookieName, '', 0)])
    }
    if (target.kind === 'embedded') {
      const [client = page.hub] = target.origins.includes(page.hub) ? [page.hub] : target.origins
      const {tokens} = await issueTokens(deps, {userId, client})
      return pageResponse(view, signedInPage(page, tokens))
    }
    const handover = await issueHandover(deps, userId)
    return leave(`${page.hub}/`, [setCookie(view, handoverCookieName, handover, handoverSeconds)])
  }

  const open = (kind: Kind) =>
    route({
      service: 'auth',
      method: 'GET',
      path: `/auth/${kind}`,
      policy: 'public',
      handle: async ({context}) => {
        const view = await readLoginView(deps, context.req.raw)
        if ('refused' in view.login) return refuse(view, view.login.refused)
        const handedOver =
          view.page.target.kind === 'redirect' ? await spendHandover(deps, view.cookie(handoverCookieName)) : undefined
        return handedOver === undefined ? show(view, kind) : complete(view, handedOver)
      },
    })

  const submit = (kind: Kind) =>
    route({
      service: 'auth',
      method: 'POST',
      path: `/auth/${kind}`,
      policy: 'public',
      accepts: 'form',
      limit: 'login',
      body: formBody,
      renderFailure: (failure, request) => explain(kind, failure, request),
      handle: async ({context, body, address}) => {
        const view = await readLoginView(deps, context.req.raw)
        if ('refused' in view.login) return refuse(view, view.login.refused)
        const email = body.email?.slice(0, 254) ?? ''
        const again = (status: number, errors: readonly FormError[]) => show(view, kind, {status, email, errors})
        /** The form as it was filled in: too many passwords are looked at already. */
        const later = (failure: HttpFailure) =>
          show(view, kind, {
            status: failure.status,
            email,
            errors: [{message: failure.detailIn(view.page.intl)}],
            headers: {'retry-after': String(failure.options.retryAfterSeconds ?? 1)},
          })
        if (!isOwnForm(deps, view.cookie(formCookieName), body.form_token)) {
          return again(403, [{message: text(view.page, 'formExpired')}])
        }
        const errors = check(view, kind, body)
        if (errors.length > 0) return again(400, errors)
        const password = body.password ?? ''
        if (kind === 'login') {
          // taken before the look, so that guesses at the same moment are all counted
          const pair = {address, email: normalizeEmail(email)}
          await failures.take('login', pair)
          const user = await checkPassword(deps, email, password).catch(asBusy)
          if (user === undefined) return again(401, [{message: text(view.page, 'wrongCredentials')}])
          await failures.giveBack('login', pair)
          return user instanceof HttpFailure ? later(user) : complete(view, user.id)
        }
        const {refusal} = await refusalFor(view)
        if (refusal !== undefined) return show(view, kind)
        const {setup} = view.login.query
        const admit = (isFirst: boolean) => {
          // another request made the first account meanwhile
          if (refusalOf(deps, {isFirst, setup}) !== undefined) throw forbidden('registrationClosed')
        }
        const inviters = invitersOf(view)
        const user = await createUser(deps, {email, password, admit, inviters}).catch(asBusy)
        if (user instanceof HttpFailure) return later(user)
        return user ? complete(view, user.id) : again(409, [{field: 'email', message: text(view.page, 'emailTaken')}])
      },
    })

  const explain = async (kind: Kind, failure: HttpFailure, request: Request): Promise<Response | undefined> => {
    if (failure.status !== 429 && failure.status !== 403) return undefined
    const view = await readLoginView(deps, request)
    if ('refused' in view.login) return refuse(view, view.login.refused)
    if (failure.status === 403) return show(view, kind, {status: 403})
    const seconds = failure.options.retryAfterSeconds ?? 60
    const message = text(view.page, 'tooManyAttempts', {minutes: Math.max(1, Math.ceil(seconds / 60))})
    return show(view, kind, {status: 429, errors: [{message}], headers: {'retry-after': String(seconds)}})
  }

  const signOut = route({
    service: 'auth',
    method: 'GET',
    path: '/auth/logout',
    policy: 'public',
    handle: async ({context}) => {
      const view = await readLoginView(deps, context.req.raw)
      const {searchParams} = new URL(context.req.url)
      const next = await signOutTarget(deps, context.req.raw, view, searchParams.get('redirect'))
      if (next === undefined) return refuse(view, 'redirect')
      // a page that opens without a session ends nobody's sign-in: neither a hand-over nor the form in another tab
      if (searchParams.get('reason') === 'opening') return leave(next)
      return leave(next, [setCookie(view, handoverCookieName, '', 0), setCookie(view, formCookieName, '', 0)])
    },
  })

  return [open('login'), submit('login'), open('register'), submit('register'), signOut]
}

function check({page}: LoginView, kind: Kind, {email = '', password = ''}: Form): FormError[] {
  const errors: FormError[] = []
  const address = normalizeEmail(email)
  if (address === '') errors.push({field: 'email', message: text(page, 'emailMissing')})
  else if (!isEmail(address)) errors.push({field: 'email', message: text(page, 'emailInvalid')})
  const length = [...password].length
  if (length === 0) errors.push({field: 'password', message: text(page, 'passwordMissing')})
  else if (kind === 'register' && length < passwordLengths.shortest) {
    errors.push({field: 'password', message: text(page, 'passwordShort', {count: passwordLengths.shortest})})
  } else if (length > passwordLengths.longest) {
    errors.push({field: 'password', message: text(page, 'passwordLong', {count: passwordLengths.longest})})
  }
  return errors
}

/**
 * Where signing out leads (spec §4: to the login page, which leads back to the current address). The bearer tokens are
 * ended by the page itself (`/oauth2/v1/revoke`), so this address changes nothing of a user and may be a GET.
 *
 * The specified client names its current address as the login's `redirect`; a code may only go to the callback of that
 * origin (security R10), so such an address becomes the callback's own `redirect`.
 */
async function signOutTarget(
  deps: ServerDeps,
  request: Request,
  view: LoginView,
  wanted: string | null,
): Promise<string | undefined> {
  if (wanted === null) return `${view.page.hub}/`
  if (!URL.canParse(wanted)) return undefined
  const url = new URL(wanted)
  if (url.username !== '' || url.password !== '') return undefined
  if (`${url.origin}${url.pathname}` !== `${view.base}/auth/login`) {
    return (await isAllowedOrigin(deps, request, url.origin)) ? url.href : undefined
  }
  const back = url.searchParams.get('redirect')
  if (back === null || parseRedirectUri(back) !== undefined) return url.href
  if (!URL.canParse(back) || !(await isAllowedOrigin(deps, request, new URL(back).origin))) return undefined
  const current = new URL(back)
  const callback = new URL('/auth/callback', current.origin)
  callback.searchParams.set('redirect', `${current.pathname}${current.search}`)
  if (parseRedirectUri(callback.href) === undefined) callback.searchParams.delete('redirect')
  url.searchParams.set('redirect', callback.href)
  return url.href
}
