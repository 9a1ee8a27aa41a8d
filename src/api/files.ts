import {Observable} from 'rxjs'
import {uploadedFile, type UploadedFile} from '#contract/management.ts'
import {lostContact} from '#domain/failure.ts'
import {ApiError, failureOfResponse} from './api-error.ts'
import {createUuid} from './random.ts'
import {parseJson} from '#domain/parse-json.ts'

export type FilesDeps = {
  /** `fetch` reports no upload progress. */
  createRequest: () => XMLHttpRequest
  /** Base URL without a trailing slash, and what the platform offers: without `upload-keys` it is sent none. */
  config: {platform: string; capabilities: readonly string[]}
  /** The user's access token, not a credential's. */
  accessToken: () => string | undefined
  /** Reports a 401 (spec §4: login) with the refused token. */
  onUnauthorized: (rejected: {bearer: string | undefined}) => void
}

export type UploadStreamEvent =
  /** Whole percent of the bytes sent, 0 to 100. */
  {type: 'upload.progressed'; percent: number} | {type: 'upload.finished'; file: UploadedFile}

/**
 * Idempotency keys of uploads that have not succeeded yet. A file that is chosen is one object for as long as it is
 * tried, so a second try is the same upload, whichever chart asks for it (security R45).
 */
const keys = new WeakMap<File, string>()

function keyOf(file: File): string {
  const key = keys.get(file) ?? createUuid()
  keys.set(file, key)
  return key
}

/** The key stands for a file that is gone or another one: a new try is a new upload. */
const spentStatuses = [404, 422]

/** An upload without progress for this many milliseconds is lost. */
const stallTimeout = 60_000

/**
 * Uploads one file (contract/platform, call 48): multipart, with `Authorization`, and a key where the server knows what
 * that is. Our own server reads the user's language from the cookie of the page. Cold: subscribing sends, unsubscribing
 * aborts. Errors with an `ApiError`: 413 is `content_too_large`, a broken connection is `lost`.
 */
const upload$ = (
  {createRequest, config, accessToken, onUnauthorized}: FilesDeps,
  file: File,
): Observable<UploadStreamEvent> =>
  new Observable((subscriber) => {
    const request = createRequest()
    const token = accessToken()
    let stall: ReturnType<typeof setTimeout> | undefined
    const fail = (error: ApiError) => {
      clearTimeout(stall)
      subscriber.error(error)
    }
    const watch = () => {
      clearTimeout(stall)
      stall = setTimeout(() => {
        request.abort()
        fail(new ApiError(lostContact('The upload stands still.', 'timeout')))
      }, stallTimeout)
    }
    let lastPercent = -1
    request.upload.onprogress = ({loaded, total, lengthComputable}) => {
      watch()
      const percent = lengthComputable && total > 0 ? Math.floor((loaded / total) * 100) : 0
      if (percent === lastPercent) return
      lastPercent = percent
      subscriber.next({type: 'upload.progressed', percent})
    }
    request.onerror = () => fail(new ApiError(lostContact('The connection broke.')))
    request.onload = () => {
      clearTimeout(stall)
      const body = parseJson(request.responseText)
      if (request.status < 200 || request.status >= 300) {
        if (spentStatuses.includes(request.status)) keys.delete(file)
        fail(new ApiError(failureOfResponse(body, request.status)))
        if (request.status === 401) onUnauthorized({bearer: token})
        return
      }
      const answer = uploadedFile.safeParse(body)
      if (!answer.success) {
        fail(
          new ApiError({code: 'unknown', detail: 'The server did not say where the file is.', status: request.status}),
        )
        return
      }
      keys.delete(file)
      subscriber.next({type: 'upload.finished', file: answer.data})
      subscriber.complete()
    }
    const body = new FormData()
    body.append('file', file, file.name)
    request.open('POST', `${config.platform}/api/v1/files/`)
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`)
    if (config.capabilities.includes('upload-keys')) request.setRequestHeader('Idempotency-Key', keyOf(file))
    watch()
    request.send(body)
    return () => {
      clearTimeout(stall)
      request.onerror = request.onload = request.upload.onprogress = null
      request.abort()
    }
  })

export const createFilesApi = (deps: FilesDeps) => ({upload$: (file: File) => upload$(deps, file)})
export type FilesApi = ReturnType<typeof createFilesApi>
