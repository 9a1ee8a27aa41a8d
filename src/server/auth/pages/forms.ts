import {passwordLengths} from '#contract/account.ts'
import type {RegistrationRefusal} from '../registration.ts'
import {html, type Html} from './html.ts'
import {address, document, siteName, text, type PageContext} from './page.ts'
import {alertIcon, eyeIcon, eyeOffIcon, infoIcon, phoneIcon} from './images.ts'

export type FieldName = 'email' | 'password'
/** A fault, as a sentence in the page's language; without `field` it is about the form as a whole. */
export type FormError = {field?: FieldName; message: string}
export type FormState = {token: string; email: string; errors: readonly FormError[]}

const summary = (page: PageContext, errors: readonly FormError[]): Html =>
  html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <p>
      ${alertIcon}${errors.every(({field}) => field === undefined) ? errors.map(({message}) => html`<span>${message}</span>`) : text(page, 'errorSummary', {count: errors.length})}
    </p>
    ${
      errors.some(({field}) => field !== undefined) &&
      html`<ul>
        ${errors.map(({field, message}) => html`<li>${field ? html`<a href="#${field}">${message}</a>` : message}</li>`)}
      </ul>`
    }
  </div>`

/** Attributes that tie an input to what is written under it. */
const described = (name: FieldName, error: string | undefined, hint: boolean): Html => {
  const ids = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return html`${error && html` aria-invalid="true"`}${ids !== '' && html` aria-describedby="${ids}"`}`
}

const errorLine = (name: FieldName, error: string | undefined): Html | undefined =>
  error === undefined ? undefined : html`<p class="error" id="${name}-error">${alertIcon}<span>${error}</span></p>`

function fields(page: PageContext, kind: 'login' | 'register', {email, errors}: FormState): Html {
  const errorOf = (name: FieldName) => errors.find(({field}) => field === name)?.message
  const hint = kind === 'register' ? text(page, 'passwordRule', {count: passwordLengths.shortest}) : undefined
  const focus = errors.length === 0 && page.target.kind !== 'embedded'
  return html`<div class="field">
      <label for="email">${text(page, 'email')}</label>
      <div class="box">
        <input
          id="email"
          name="email"
          type="email"
          dir="ltr"
          value="${email}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="254"
          required${described('email', errorOf('email'), false)}${focus && html` autofocus`}
        />
      </div>
      ${errorLine('email', errorOf('email'))}
    </div>
    <div class="field">
      <label for="password">${text(page, 'password')}</label>
      <div class="box secret" dir="ltr">
        <input
          id="password"
          name="password"
          type="password"
          dir="ltr"
          autocomplete="${kind === 'register' ? 'new-password' : 'current-password'}"
          autocapitalize="none"
          spellcheck="false"
          required
          data-secret${described('password', errorOf('password'), hint !== undefined)}
        />
        <button
          class="reveal"
          type="button"
          data-reveal="password"
          aria-label="${text(page, 'showPassword')}"
          title="${text(page, 'showPassword')}"
          aria-pressed="false"
          hidden
        >
          ${eyeIcon}${eyeOffIcon}
        </button>
      </div>
      ${hint !== undefined && html`<p class="hint" id="password-hint">${hint}</p>`}
      ${errorLine('password', errorOf('password'))}
    </div>`
}

const form = (page: PageContext, kind: 'login' | 'register', state: FormState): Html =>
  html`${state.errors.length > 0 && summary(page, state.errors)}
    <form method="post" action="${address(page, kind)}" novalidate>
      <input type="hidden" name="form_token" value="${state.token}" />
      ${fields(page, kind, state)}
      <button class="go" type="submit">${text(page, kind === 'login' ? 'signIn' : 'createAccount')}</button>
      ${
        page.target.kind === 'embedded' &&
        html`<button class="second" type="button" data-show-qr hidden>${phoneIcon}${text(page, 'showQr')}</button>
          <noscript><p class="error">${text(page, 'needsScript')}</p></noscript>`
      }
    </form>`

/** The sign-in form (spec §7: {auth}/auth/login), also in the 360×560 frame of the login dialog. */
export function loginPage(page: PageContext, state: FormState & {refusal: RegistrationRefusal | undefined}): string {
  const heading = text(page, 'signInTitle', {site: siteName(page)})
  return document(page, {
    title: heading,
    wide: true,
    body: html`<h1>${heading}</h1>
      ${
        page.query.get('reason') === 'deleted' &&
        state.errors.length === 0 &&
        html`<p class="note" role="status">${infoIcon}<span>${text(page, 'accountDeleted')}</span></p>`
      }
      ${form(page, 'login', state)}
      <p class="other">
        ${
          state.refusal === undefined
            ? html`${text(page, 'noAccount')}
                <a href="${address(page, 'register')}">${text(page, 'createAnAccount')}</a>`
            : text(page, state.refusal)
        }
      </p>`,
  })
}

/** The registration form. The rule for the password is said before typing. */
export function registerPage(page: PageContext, state: FormState & {first: boolean}): string {
  const heading = text(page, 'registerTitle')
  return document(page, {
    title: heading,
    wide: true,
    body: html`<h1>${heading}</h1>
      <p class="lead">${text(page, 'registerLead', {site: siteName(page)})}</p>
      ${state.first && html`<p class="note">${infoIcon}<span>${text(page, 'firstAccount')}</span></p>`}
      ${form(page, 'register', state)}
      <p class="other">
        ${text(page, 'haveAccount')} <a href="${address(page, 'login')}">${text(page, 'signIn')}</a>
      </p>`,
  })
}

/** The registration page where no account can be made. */
export function closedPage(page: PageContext, refusal: RegistrationRefusal): string {
  const heading = text(page, 'registerTitle')
  return document(page, {
    title: heading,
    wide: true,
    body: html`<h1>${heading}</h1>
      <p class="lead">${text(page, refusal)}</p>
      <p class="other">
        ${text(page, 'haveAccount')} <a href="${address(page, 'login')}">${text(page, 'signIn')}</a>
      </p>`,
  })
}
