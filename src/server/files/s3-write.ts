import type {Readable} from 'node:stream'
import {AbortMultipartUploadCommand, type S3Client} from '@aws-sdk/client-s3'
import {Upload} from '@aws-sdk/lib-storage'
import {isCode} from '../error-code.ts'
import {s3Failure} from './s3-failure.ts'

/** Parts of an upload; as many at once are in memory, whatever the file's size. */
const partBytes = 8 * 1_048_576
const partsAtOnce = 2

type NewObject = {object: {Bucket: string; Key: string}; name: string; body: Readable; type: string}

/** Uploads a body in parts. A failed upload leaves none of them. */
export async function uploadObject(
  client: S3Client,
  {object, name, body, type}: NewObject,
  signal?: AbortSignal,
): Promise<void> {
  const upload = new Upload({
    client,
    params: {...object, Body: body, ContentType: type},
    partSize: partBytes,
    queueSize: partsAtOnce,
    // they are removed below: if that fails as well, the library forgets the first error
    leavePartsOnError: true,
  })
  // the upload reports its own abort only, not the error of the body that caused it
  let failure: Error | undefined
  body.once('error', (error) => {
    if (!isCode(error, 'ABORT_ERR')) failure = error
  })
  const stop = () => void upload.abort()
  signal?.addEventListener('abort', stop, {once: true})
  try {
    signal?.throwIfAborted()
    await upload.done()
  } catch (error) {
    await removeParts(client, object, upload.uploadId)
    signal?.throwIfAborted()
    throw failure ?? s3Failure(name, error)
  } finally {
    signal?.removeEventListener('abort', stop)
    body.destroy()
  }
}

/** If the store is away, the parts stay until they are swept. */
async function removeParts(client: S3Client, object: {Bucket: string; Key: string}, uploadId: string | undefined) {
  if (uploadId === undefined) return
  await client.send(new AbortMultipartUploadCommand({...object, UploadId: uploadId})).catch(() => undefined)
}
