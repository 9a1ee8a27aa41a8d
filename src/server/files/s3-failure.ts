import {HttpFailure} from '../http/failure.ts'
import {FileGone, storeAway, storeFull} from './file-store.ts'

/** Stores say in different words that they have no room. */
const fullCodes = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
])
/** Codes that waiting does not mend: the operator named something wrong. */
const wrongCodes = new Set([
  'AccessDenied',
  'AllAccessDisabled',
  'AuthorizationHeaderMalformed',
  'CredentialsProviderError',
  'Forbidden',
  'InvalidAccessKeyId',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
])

const statusOf = (error: unknown): number | undefined => {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata && metadata.httpStatusCode
  return typeof status === 'number' ? status : undefined
}
const codeOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/** Turns an error of the client into one that the file's user can be told. */
export function s3Failure(name: string, error: unknown): Error {
  if (error instanceof HttpFailure || error instanceof FileGone) return error // of the other end of a copy
  const status = statusOf(error)
  const code = codeOf(error)
  if (code === 'NoSuchKey' || (status === 404 && code !== 'NoSuchBucket')) return new FileGone(name, error)
  return status === 507 || fullCodes.has(code) ? storeFull(error) : storeAway(error)
}

export const isNotImplemented = (error: unknown): boolean =>
  statusOf(error) === 501 || codeOf(error) === 'NotImplemented'

/** The code of a refusal that no waiting mends. */
export function wrongSetting(error: unknown): string | undefined {
  const cause = error instanceof HttpFailure ? error.options.cause : error
  const code = codeOf(cause)
  return wrongCodes.has(code) ? code : undefined
}
