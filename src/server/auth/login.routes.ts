import type {ServerDeps} from '../deps.ts'
import {forbidden, HttpFailure} from '../http/failure.ts'
import {createLimits} from '../http/limits.ts'
import {route, type Route} from '../http/route.ts'
import {formCookieName, isOwnForm} from './form-token.ts'
import {handoverCookieName, spendHandover} from './handover.ts'
import {invitersOf} from './inviters.ts'
import {checkForm, loginFormBody, type FormKind} from './login-form.ts'
import {completeLogin, explainRefusal, refusePage, registrationOf, showBusy, showForm} from './login-pages.ts'
import {leave, readLoginView, setCookie, type LoginView} from './login-view.ts'
import type {FormError} from './pages/forms.ts'
import {text} from './pages/page.ts'
import {refusalOf} from './registration.ts'
import {signOutTarget} from './sign-out-target.ts'
import {checkPassword, createUser, normalizeEmail} from './users.ts'

type LoginSubmission = {view: LoginView; email: string; password: string; address: string}

/** A refusal because too many sign in at once is an answer; any other failure is thrown. */
function asBusy(error: unknown): HttpFailure {
  if (error instanceof HttpFailure && error.code === 'busy') return error
  throw error
}

/** The pages people see: sign-in, registration and sign-out (spec §4, §6, §7). */
export function loginRoutes(deps: ServerDeps): Route[] {
  // Wrong passwords of one account from one address; the router counts all attempts of an address (security R33). Not
  // the account alone: with that, anybody could keep its owner out by guessing.
  const failures = createLimits(deps)

  const signIn = async ({view, email, password, address}: LoginSubmission): Promise<Response> => {
    // taken before the look, so that guesses at the same moment are all counted
    const pair = {address, email: normalizeEmail(email)}
    await failures.take('login', pair)
    const user = await checkPassword(deps, email, password).catch(asBusy)
    if (user === undefined) {
      const errors = [{message: text(view.page, 'wrongCredentials')}]
      return showForm(deps, view, 'login', {status: 401, email, errors})
    }
    await failures.giveBack('login', pair)
    if (user instanceof HttpFailure) return showBusy(deps, view, 'login', {email, failure: user})
    return completeLogin(deps, view, user.id)
  }

  const open = (kind: FormKind) =>
    route({
      service: 'auth',
      method: 'GET',
      path: `/auth/${kind}`,
      policy: 'public',
      handle: async ({context}) => {
        const view = await readLoginView(deps, context.req.raw)
        if ('refused' in view.login) return refusePage(view, view.login.refused)
        const handedOver =
          view.page.target.kind === 'redirect' ? await spendHandover(deps, view.cookie(handoverCookieName)) : undefined
        return handedOver === undefined ? showForm(deps, view, kind) : completeLogin(deps, view, handedOver)
      },
    })

  const submit = (kind: FormKind) =>
    route({
      service: 'auth',
      method: 'POST',
      path: `/auth/${kind}`,
      policy: 'public',
      accepts: 'form',
      limit: 'login',
      body: loginFormBody,
      renderFailure: (failure, request) => explainRefusal(deps, kind, failure, request),
      handle: async ({context, body, address}) => {
        const view = await readLoginView(deps, context.req.raw)
        if ('refused' in view.login) return refusePage(view, view.login.refused)
        const email = body.email?.slice(0, 254) ?? ''
        const again = (status: number, errors: readonly FormError[]) =>
          showForm(deps, view, kind, {status, email, errors})
        if (!isOwnForm(deps, view.cookie(formCookieName), body.form_token)) {
          return again(403, [{message: text(view.page, 'formExpired')}])
        }
        const errors = checkForm(view, kind, body)
        if (errors.length > 0) return again(400, errors)
        const submission = {view, email, password: body.password ?? '', address}
        return kind === 'login' ? signIn(submission) : register(deps, submission)
      },
    })

  return [open('login'), submit('login'), open('register'), submit('register'), signOutRoute(deps)]
}

async function register(deps: ServerDeps, {view, email, password}: LoginSubmission): Promise<Response> {
  const {refusal} = await registrationOf(deps, view)
  if (refusal !== undefined) return showForm(deps, view, 'register')
  const setup = 'refused' in view.login ? undefined : view.login.query.setup
  const admit = (isFirst: boolean) => {
    // another request may have made the first account since
    if (refusalOf(deps, {isFirst, setup}) !== undefined) throw forbidden('registrationClosed')
  }
  const user = await createUser(deps, {email, password, admit, inviters: invitersOf(view)}).catch(asBusy)
  if (user instanceof HttpFailure) return showBusy(deps, view, 'register', {email, failure: user})
  if (user) return completeLogin(deps, view, user.id)
  const errors: FormError[] = [{field: 'email', message: text(view.page, 'emailTaken')}]
  return showForm(deps, view, 'register', {status: 409, email, errors})
}

const signOutRoute = (deps: ServerDeps): Route =>
  route({
    service: 'auth',
    method: 'GET',
    path: '/auth/logout',
    policy: 'public',
    handle: async ({context}) => {
      const view = await readLoginView(deps, context.req.raw)
      const {searchParams} = new URL(context.req.url)
      const next = await signOutTarget(deps, context.req.raw, view, searchParams.get('redirect'))
      if (next === undefined) return refusePage(view, 'redirect')
      // a page that opens without a session ends no sign-in: neither a hand-over nor the form in another tab
      if (searchParams.get('reason') === 'opening') return leave(next)
      return leave(next, [setCookie(view, handoverCookieName, '', 0), setCookie(view, formCookieName, '', 0)])
    },
  })
