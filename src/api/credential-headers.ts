import {ApiError} from './api-error.ts'

/** Who calls the AI host: `Bearer` of a credential, without one every call rejects with `no token` (spec §5), and the person's language. */
export const credentialHeaders = (token: string | undefined, language: string): Record<string, string> => {
  if (token === undefined || token === '') throw new ApiError({code: 'not_applied', detail: 'no token'})
  return {authorization: `Bearer ${token}`, 'accept-language': language}
}
