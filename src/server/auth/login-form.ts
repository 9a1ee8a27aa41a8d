import {passwordLengths} from '#contract/account.ts'
import {z} from '#contract/schema.ts'
import type {LoginView} from './login-view.ts'
import type {FormError} from './pages/forms.ts'
import {text} from './pages/page.ts'
import {isEmail, normalizeEmail} from './users.ts'

export type FormKind = 'login' | 'register'

/** Fields are checked by hand: what is wrong is said beside the field, in the page's language. */
export const loginFormBody = z.object({
  form_token: z.optional(z.string()),
  email: z.optional(z.string()),
  password: z.optional(z.string()),
})
type LoginForm = z.infer<typeof loginFormBody>

/** Finds the fault of the fields, before any account is looked up. */
export function checkForm({page}: LoginView, kind: FormKind, {email = '', password = ''}: LoginForm): FormError[] {
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
