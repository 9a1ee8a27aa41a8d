import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import {isStoredName} from './file-store.ts'
import {isNotImplemented, s3Failure} from './s3-failure.ts'

/*
 * Uploads in parts that never ended: their process died, or the store was away when they were given up. They are in no
 * list of files, and their parts are paid for.
 */

type SweepRequest = {bucket: string; prefix: string; before: Date; then: 'count' | 'remove'}

/** How many were begun before then; `undefined`: the store does not list them. */
export async function unfinishedUploads(
  client: S3Client,
  {bucket, prefix, before, then}: SweepRequest,
): Promise<number | undefined> {
  let number = 0
  try {
    for await (const {Key = '', UploadId, Initiated} of listed(client, bucket, prefix)) {
      if (!isStoredName(Key.slice(prefix.length)) || Initiated === undefined || Initiated > before) continue
      number += 1
      if (then === 'remove') await abort(client, {Bucket: bucket, Key, UploadId})
    }
    return number
  } catch (error) {
    if (isNotImplemented(error)) return undefined
    throw s3Failure('', error)
  }
}

async function* listed(client: S3Client, bucket: string, prefix: string) {
  for (let next: {KeyMarker?: string; UploadIdMarker?: string} | undefined = {}; next !== undefined;) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({Bucket: bucket, Prefix: prefix, ...next}),
    )
    yield* page.Uploads ?? []
    next = page.IsTruncated
      ? {KeyMarker: page.NextKeyMarker ?? '', UploadIdMarker: page.NextUploadIdMarker ?? ''}
      : undefined
  }
}

/** Aborts an upload. An upload that has ended meanwhile is no error. */
async function abort(client: S3Client, upload: {Bucket: string; Key: string; UploadId: string | undefined}) {
  await client.send(new AbortMultipartUploadCommand(upload)).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'NoSuchUpload')) throw error
  })
}
