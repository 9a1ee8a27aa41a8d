import {ApiError} from './api-error.ts'

/**
 * Headers for the AI host: the credential as `Bearer` and the user's language. Without a credential every call rejects
 * with `no token` (spec §5).
 */
export const credentialHeaders = (token: string | undefined, language: string): Record<string, string> => {
  if (token === undefined || token === '') throw new ApiError({code: 'not_applied', detail: 'no token'})
  return {authorization: `Bearer ${token}`, 'accept-language': language}
}
