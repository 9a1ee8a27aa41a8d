import {isSameSecret, type Secrets} from '../secrets.ts'

const codeLength = 10

/**
 * The code by which a user confirms an address (PUT /users/verify). Atrium sends no mail: the operator reads the code
 * (`npm run admin -- verification-code <email>`) and passes it on. Computed from account and address, so a changed
 * address needs a new code.
 */
export const verificationCode = (secrets: Secrets, {id, email}: {id: string; email: string}): string =>
  secrets
    .sign('form', `verify:${id}:${email.toLowerCase()}`)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, codeLength)
    .toUpperCase()

/** Compares what was typed, whatever its case and spaces, in constant time. */
export function isVerificationCode(secrets: Secrets, account: {id: string; email: string}, typedText: string): boolean {
  return isSameSecret(verificationCode(secrets, account), typedText.replace(/[\s-]/g, '').toUpperCase())
}
