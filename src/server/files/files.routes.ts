import {eq} from 'drizzle-orm'
import {largestFile} from '#contract/files.ts'
import type {UploadedFile} from '#contract/management.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {badRequest, notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {filesPath, platformBase} from '../platform/addresses.ts'
import {checkKey} from '../runs/idempotency.ts'
import {files} from '../store/schema/files.ts'
import {cleanFileName} from './file-name.ts'
import {keepUpload, typeOfName} from './keep-upload.ts'
import {receiveFile, sweepIncoming, tooLarge} from './incoming-file.ts'
import {cutOff, readFilePart} from './multipart.ts'
import {redirectToStore} from './redirect-to-store.ts'
import {serveFile} from './serve-file.ts'
import {renewFile} from './renew-file.ts'
import {deleteFile, type FileRow} from './stored-files.ts'

/** Bytes of an upload around the file itself: boundary lines and part headers. */
const frameLength = 65_536
const idPattern = /^[A-Za-z0-9_-]{22}$/

/**
 * Uploads (spec §7, `contract/platform` §3, 48; security R28–R30). An address is a capability: the id is 128 random
 * bits, because an image element sends no bearer. Lists of files are not offered, so only who was given it knows it.
 * Its owner may renew it (docs/decisions/0024). The same `Idempotency-Key` again is the same upload
 * (docs/decisions/0083).
 */
export function fileRoutes(deps: ServerDeps): Route[] {
  let sweeping: Promise<void> | undefined
  /** Once per process, with the first upload; a failed sweep must not stop uploads. */
  const sweepOnce = () =>
    (sweeping ??= sweepIncoming(deps).catch((error: unknown) =>
      deps.log.warn('uploads left behind were not taken away', describeError(error)),
    ))

  const answerOf = ({id, name, type, size}: Pick<FileRow, 'id' | 'name' | 'type' | 'size'>, origin?: string) => {
    const address = `${platformBase(deps.config, origin)}${filesPath}${id}/${encodeURIComponent(name)}`
    return {file_url: address, id, name, type, size} satisfies UploadedFile
  }

  return [
    managementRoute('POST', '/files/', 'user', {
      accepts: 'multipart',
      limit: 'upload',
      handle: async ({identity, context, origin, signal}) => {
        const request = context.req.raw
        const key = checkKey(context.req.header('idempotency-key'))
        if (Number(request.headers.get('content-length') ?? 0) > largestFile + frameLength) throw tooLarge()
        await sweepOnce()
        const part = await readFilePart(request.body, request.headers.get('content-type') ?? '')
        try {
          const givenName = cleanFileName(part.fileName)
          if (givenName === '') throw badRequest('fileName', 'file')
          typeOfName(givenName)
          const newFile = await receiveFile(deps, part.content, signal)
          try {
            const {userId} = identity
            const file = await keepUpload(deps, {userId, key, name: givenName, received: newFile, signal})
            const headers: Record<string, string> = file.isReplay ? {'idempotent-replay': 'true'} : {}
            return Response.json(answerOf(file, origin), {status: 201, headers})
          } catch (error) {
            throw signal.aborted ? cutOff(signal.reason) : error
          } finally {
            await newFile.discard()
          }
        } finally {
          part.close()
        }
      },
    }),
    managementRoute('GET', '/files/:id/:name', 'public', {
      handle: async ({params, context}) => {
        const {id, name} = params
        if (id === undefined || !idPattern.test(id)) throw notFound()
        // The address alone grants access, so the row is read without the user's row-level rights.
        const [row] = await deps.database.asSystem((transaction) =>
          transaction.select().from(files).where(eq(files.id, id)),
        )
        // Another name in the address would let a harmless file look like something else.
        if (!row || row.name !== name) throw notFound()
        const request = context.req.raw
        return (await redirectToStore(deps, request, row)) ?? serveFile(deps, request, row)
      },
    }),
    managementRoute('POST', '/files/:id/renew', 'user', {
      handle: async ({identity, params, origin}) => {
        if (params.id === undefined || !idPattern.test(params.id)) throw notFound()
        return Response.json(answerOf(await renewFile(deps, identity.userId, params.id), origin))
      },
    }),
    managementRoute('DELETE', '/files/:id', 'user', {
      handle: async ({identity, params}) => {
        if (params.id === undefined || !idPattern.test(params.id)) throw notFound()
        await deleteFile(deps, identity.userId, params.id)
        return new Response(null, {status: 204})
      },
    }),
  ]
}
