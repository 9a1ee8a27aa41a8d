import {ApiError} from './api-error.ts'

/** `Bearer` of a credential; without one every call to the AI host rejects with `no token` (spec §5). */
export const credentialHeaders = (token: string | undefined): Record<string, string> => {
  if (token === undefined || token === '') throw new ApiError({code: 'not_applied', detail: 'no token'})
  return {authorization: `Bearer ${token}`}
}
