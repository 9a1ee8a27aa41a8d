import {isList} from '#contract/is-list.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import type {MadeFile, MediaAsk, MediaContent} from '../media-provider.ts'
import {callUpstream, endpoint, readAll} from '../call-upstream.ts'
import {ProviderFailure, type StoredFile} from '../provider.ts'
import {createRequestKeys} from '../request-keys.ts'
import {answerFailure, readErrorBody} from '../upstream-error.ts'
import {askedRatio, nearestOf} from './asked-ratio.ts'
import {nearestShape, refusalOf} from './refused-setting.ts'
import {formOf, mediaDeadlines, wordsIn, type OpenaiMediaParts} from './media-request.ts'

/** Four images in base64. */
const longestAnswer = 200 * 1024 * 1024
const mostSources = 16

/** A server's limits, learnt from its refusals: a size becomes the nearest named, else each setting is left out. */
type Quirks = {ratio: readonly [number, number]; size: string | undefined; number: boolean}

/**
 * `POST /images/generations`, or `/images/edits` when files go in. Answers carry base64, a data address, a whole or a
 * relative address (backends 2.4): all are taken.
 */
export async function makeImages(parts: OpenaiMediaParts, ask: MediaAsk): Promise<MadeFile[]> {
  const {count} = ask.plan
  const sources = (await ask.sourceFiles()).filter(({type}) => type.startsWith('image/')).slice(0, mostSources)
  const newFiles: MadeFile[] = []
  const ratio = await askedRatio(ask.plan, sources)
  const keyOf = createRequestKeys(ask.run)
  const quirks: Quirks = {ratio, size: sizeOf(ratio), number: true}
  while (newFiles.length < count) {
    const images = await askOnce({...parts, keyOf}, ask, sources, count - newFiles.length, quirks)
    newFiles.push(...images.slice(0, count - newFiles.length))
    ask.onProgress(Math.round((newFiles.length / count) * 95))
  }
  return newFiles
}

async function askOnce(
  parts: OpenaiMediaParts & {keyOf: ReturnType<typeof createRequestKeys>},
  ask: MediaAsk,
  sources: readonly StoredFile[],
  number: number,
  quirks: Quirks,
): Promise<MadeFile[]> {
  const {upstream, model, ports, keyOf} = parts
  for (;;) {
    const fields = {
      model,
      prompt: wordsIn(ask.plan),
      ...(quirks.number ? {n: number} : {}),
      ...(quirks.size === undefined ? {} : {size: quirks.size}),
    }
    const response = await callUpstream(
      {
        upstream,
        path: sources.length > 0 ? '/images/edits' : '/images/generations',
        method: 'POST',
        headers: keyOf(fields),
        body: sources.length > 0 ? await formOf(fields, sources) : fields,
        signal: ask.signal,
        deadlines: mediaDeadlines,
      },
      ports,
    )
    const text = await readAll(response.text, longestAnswer)
    if (response.status >= 200 && response.status < 300) return readImages(parts, parseJson(text))
    const failure = answerFailure(upstream, response, text)
    const refusal = {status: response.status, body: readErrorBody(text), text, message: failure.message}
    if (learn(quirks, refusal)) continue
    throw failure
  }
}

type Refusal = {status: number; body: unknown; text: string; message: string}

/** Changes or leaves out what the refusal names; `false` when nothing is left to change. */
function learn(quirks: Quirks, {status, body, text, message}: Refusal): boolean {
  if (status !== 400 && status !== 422) return false
  if (quirks.size !== undefined) {
    const refusal = refusalOf('size', status, body, message)
    const otherSizes = refusal?.allowed.filter((size) => size !== quirks.size) ?? []
    if (refusal !== undefined || /\bsize\b/i.test(text)) {
      // once: a setting that the server refuses is left out of the next request
      quirks.size = quirks.size === sizeOf(quirks.ratio) ? nearestShape(quirks.ratio, otherSizes) : undefined
      return true
    }
  }
  if (quirks.number && /['"`]n['"`]|\bn must\b|number of images/i.test(text)) {
    quirks.number = false
    return true
  }
  return false
}

/** The nearest of the sizes that all image models have. */
const sizeOf = (ratio: readonly [number, number]): string =>
  nearestOf({square: '1024x1024', wide: '1536x1024', tall: '1024x1536'}, ratio)

function readImages({upstream}: OpenaiMediaParts, body: unknown): MadeFile[] {
  const list = isRecord(body) && isList(body.data) ? body.data : []
  const images = list.flatMap((item): MadeFile[] => {
    const file = isRecord(item) ? contentOf(item, upstream.baseUrl) : undefined
    return file === undefined ? [] : [{medium: 'image', file, type: 'image/png', name: 'image.png'}]
  })
  if (images.length === 0) throw new ProviderFailure('api_error', `${upstream.name} answered without an image.`)
  return images
}

function contentOf({b64_json: base64, url}: Record<string, unknown>, baseUrl: string): MediaContent | undefined {
  if (typeof base64 === 'string' && base64 !== '') return Buffer.from(base64.replace(/^data:[^,]*,/, ''), 'base64')
  if (typeof url !== 'string' || url === '') return undefined
  if (url.startsWith('data:')) return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  return {address: URL.canParse(url) ? url : new URL(url, endpoint(baseUrl, '/')).href}
}
