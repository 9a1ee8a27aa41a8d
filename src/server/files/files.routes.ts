import {eq} from 'drizzle-orm'
import {largestFile} from '#contract/files.ts'
import type {UploadedFile} from '#contract/management.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError} from '../http/boundary.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {route, type Route} from '../http/route.ts'
import {filesPath, platformBase} from '../platform/addresses.ts'
import {files} from '../store/schema/files.ts'
import {cleanFileName, extensionOf} from './file-name.ts'
import {newFileId} from './file-store.ts'
import {fileTypeOf} from './file-types.ts'
import {receiveFile, sweepIncoming, tooLarge} from './incoming-file.ts'
import {inspectFile} from './inspect-file.ts'
import {stripMetadata} from './metadata/strip-metadata.ts'
import {cutOff, readFilePart} from './multipart.ts'
import {namedByContent} from './image-name.ts'
import {redirectToStore} from './redirect-to-store.ts'
import {serveFile} from './serve-file.ts'
import {renewFile} from './renew-file.ts'
import {deleteFile, keepFile, type FileRow} from './stored-files.ts'

/** Bytes of an upload around the file itself: boundary lines and part headers. */
const frameLength = 65_536
const idPattern = /^[A-Za-z0-9_-]{22}$/

/**
 * Uploads (spec §7, `contract/platform` §3, 48; security R28–R30). An address is a capability: the id is 128 random
 * bits, because an image element sends no bearer. Lists of files are not offered, so only who was given it knows it. Its
 * owner may renew it (docs/decisions/0024).
 */
export function fileRoutes(deps: ServerDeps): Route[] {
  let swept: Promise<void> | undefined
  /** Once per process, with the first upload; what a sweep cannot take away must not stop uploads. */
  const sweepOnce = () =>
    (swept ??= sweepIncoming(deps).catch((error: unknown) =>
      deps.log.warn('uploads left behind were not taken away', describeError(error)),
    ))

  const answerOf = ({id, name, type, size}: Pick<FileRow, 'id' | 'name' | 'type' | 'size'>, origin?: string) => {
    const address = `${platformBase(deps.config, origin)}${filesPath}${id}/${encodeURIComponent(name)}`
    return {file_url: address, id, name, type, size} satisfies UploadedFile
  }

  return [
    route({
      service: 'platform',
      method: 'POST',
      path: '/api/v1/files/',
      policy: 'user',
      accepts: 'multipart',
      limit: 'upload',
      handle: async ({identity, context, origin, signal}) => {
        const request = context.req.raw
        if (Number(request.headers.get('content-length') ?? 0) > largestFile + frameLength) throw tooLarge()
        await sweepOnce()
        const part = await readFilePart(request.body, request.headers.get('content-type') ?? '')
        try {
          const givenName = cleanFileName(part.fileName)
          if (givenName === '') throw badRequest('fileName', 'file')
          const namedType = fileTypeOf(extensionOf(givenName))
          if (!namedType) throw new HttpFailure(415, 'bad_request', 'fileKind', {field: 'file'})
          const received = await receiveFile(deps, part.content, signal)
          try {
            const {name, fileType} = await namedByContent(received.path, givenName, namedType)
            const {type} = fileType
            const size = await inspectFile(received.path, fileType)
            const incoming = await stripMetadata(received, type)
            const id = newFileId()
            await keepFile(
              deps,
              {
                id,
                userId: identity.userId,
                name,
                type,
                size: incoming.size,
                width: size?.width ?? null,
                height: size?.height ?? null,
              },
              incoming,
              {signal},
            )
            return Response.json(answerOf({id, name, type, size: incoming.size}, origin), {status: 201})
          } catch (error) {
            throw signal.aborted ? cutOff(signal.reason) : error
          } finally {
            await received.discard()
          }
        } finally {
          part.close()
        }
      },
    }),
    route({
      service: 'platform',
      method: 'GET',
      path: '/api/v1/files/:id/:name',
      policy: 'public',
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
    route({
      service: 'platform',
      method: 'POST',
      path: '/api/v1/files/:id/renew',
      policy: 'user',
      handle: async ({identity, params, origin}) => {
        if (params.id === undefined || !idPattern.test(params.id)) throw notFound()
        return Response.json(answerOf(await renewFile(deps, identity.userId, params.id), origin))
      },
    }),
    route({
      service: 'platform',
      method: 'DELETE',
      path: '/api/v1/files/:id',
      policy: 'user',
      handle: async ({identity, params}) => {
        if (params.id === undefined || !idPattern.test(params.id)) throw notFound()
        await deleteFile(deps, identity.userId, params.id)
        return new Response(null, {status: 204})
      },
    }),
  ]
}
