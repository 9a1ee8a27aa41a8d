import type {ServerDeps} from '../deps.ts'
import type {HttpFailure} from '../http/failure.ts'
import {formToken} from './form-token.ts'
import {handoverCookieName, handoverSeconds, issueHandover} from './handover.ts'
import {issueCode} from './login-codes.ts'
import type {FormKind} from './login-form.ts'
import {leave, pageResponse, readLoginView, setCookie, type LoginView} from './login-view.ts'
import {closedPage, loginPage, registerPage, type FormError} from './pages/forms.ts'
import {refusedPage, signedInPage} from './pages/notices.ts'
import {text} from './pages/page.ts'
import {withCode} from './redirect-uri.ts'
import {hasNoAccount, refusalOf, type RegistrationRefusal} from './registration.ts'
import {issueTokens} from './tokens.ts'

type FormState = {status?: number; email?: string; errors?: readonly FormError[]; headers?: Record<string, string>}

export const refusePage = (view: LoginView, name: string) =>
  pageResponse(view, refusedPage(view.page, name), {status: 400})

/** Why registration is closed on this page, if it is. `isFirst`: the installation has no account yet. */
export async function registrationOf(
  deps: ServerDeps,
  {login}: LoginView,
): Promise<{isFirst: boolean; refusal: RegistrationRefusal | undefined}> {
  const isFirst = await hasNoAccount(deps)
  const setup = 'refused' in login ? undefined : login.query.setup
  return {isFirst, refusal: refusalOf(deps, {isFirst, setup})}
}

/** The page of a form, as its user filled it in; a closed registration is a page that says why. */
export async function showForm(
  deps: ServerDeps,
  view: LoginView,
  kind: FormKind,
  {status = 200, email = '', errors = [], headers = {}}: FormState = {},
): Promise<Response> {
  const state = {token: formToken(deps, view.formCookie), email, errors}
  const {isFirst, refusal} = await registrationOf(deps, view)
  if (kind === 'login') return pageResponse(view, loginPage(view.page, {...state, refusal}), {status, headers})
  return refusal === undefined
    ? pageResponse(view, registerPage(view.page, {...state, first: isFirst}), {status, headers})
    : pageResponse(view, closedPage(view.page, refusal), {status: 403})
}

/** The form again, with the failure as its error: the server checks too many passwords at this moment. */
export function showBusy(
  deps: ServerDeps,
  view: LoginView,
  kind: FormKind,
  {email, failure}: {email: string; failure: HttpFailure},
): Promise<Response> {
  return showForm(deps, view, kind, {
    status: failure.status,
    email,
    errors: [{message: failure.detailIn(view.page.intl)}],
    headers: {'retry-after': String(failure.options.retryAfterSeconds ?? 1)},
  })
}

/** The page for a submission that the router refused: too many attempts, or a form of another site. */
export async function explainRefusal(
  deps: ServerDeps,
  kind: FormKind,
  failure: HttpFailure,
  request: Request,
): Promise<Response | undefined> {
  if (failure.status !== 429 && failure.status !== 403) return undefined
  const view = await readLoginView(deps, request)
  if ('refused' in view.login) return refusePage(view, view.login.refused)
  if (failure.status === 403) return showForm(deps, view, kind, {status: 403})
  const seconds = failure.options.retryAfterSeconds ?? 60
  const message = text(view.page, 'tooManyAttempts', {minutes: Math.max(1, Math.ceil(seconds / 60))})
  return showForm(deps, view, kind, {
    status: 429,
    errors: [{message}],
    headers: {'retry-after': String(seconds)},
  })
}

/** Leads back to the page that asked for the login, with the proof of who signed in. */
export async function completeLogin(deps: ServerDeps, view: LoginView, userId: string): Promise<Response> {
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
