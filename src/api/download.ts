import {parseJson} from '#domain/parse-json.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {base, type ManagementDeps} from './management-calls.ts'
import {queryText, restOf, type Query} from './request.ts'
import {createStallWatch, readBlob} from './stall-watch.ts'

/** A file that the server wrote for its user. `name` is that of `Content-Disposition`, without a folder. */
export type Download = {blob: Blob; name: string}

const nameOf = (response: Response, otherwise: string) =>
  /filename="([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? otherwise

type DownloadRequest = {path: string; query?: Query; name: string; signal?: AbortSignal}

/**
 * Fetches a file of the management API, with the bearer that a link could not carry. Rejects with an `ApiError`: a file
 * whose connection breaks before its end is `lost` and gives nothing. Not retried; it ends by a stall alone.
 */
export async function download(
  deps: Pick<ManagementDeps, 'fetch' | 'baseUrl' | 'headers' | 'onUnauthorized'>,
  {path, query = {}, name, signal}: DownloadRequest,
): Promise<Download> {
  const headers = deps.headers()
  const watch = createStallWatch(signal)
  const text = queryText(query)
  try {
    const url = `${deps.baseUrl}${base}${path}${text === '' ? '' : `?${text}`}`
    const response = await deps.fetch(url, {headers, signal: watch.signal})
    if (!response.ok) {
      const failure = failureOfResponse(parseJson(await response.text()), response.status)
      throw new ApiError({...failure, ...restOf(response)})
    }
    return {blob: await readBlob(response, watch.touch), name: nameOf(response, name)}
  } catch (reason) {
    const error = errorOfFetch(reason)
    if (error.status === 401) deps.onUnauthorized({bearer: headers.authorization?.replace(/^Bearer /, '')})
    throw error
  } finally {
    watch.release()
  }
}
