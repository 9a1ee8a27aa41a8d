import {randomUUID} from 'node:crypto'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {bodyOf, listen, type LocalServer} from './http-server.ts'
import {pixel} from './pixel.ts'

type Body = Record<string, unknown>
type Job = {id: string; path: string; body: Body; polls: number}

/** The first bytes of a video and of a song, by which their kind is known. */
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\x00\x00\x02\x00isomiso2')])
const mp3 = Buffer.concat([
  Buffer.from('ID3'),
  Buffer.alloc(7),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(413),
])

const files: Record<string, {type: string; bytes: Buffer}> = {
  '/made.png': {type: 'image/png', bytes: pixel},
  '/made.mp4': {type: 'video/mp4', bytes: mp4},
  '/made.mp3': {type: 'audio/mpeg', bytes: mp3},
}

/**
 * The upstream that generations are passed on to (contract/upstream): queued by `async`, asked for by the upstream's
 * own ids. A job runs until `finish()`, so that a test decides what is done at each moment.
 */
export class MediaUpstream {
  private readonly made = new Map<string, Job>()
  private isFinished = false
  private isSilent = false
  private server: LocalServer | undefined

  static async start(): Promise<MediaUpstream> {
    const upstream = new MediaUpstream()
    upstream.server = await listen((request, response) => upstream.answer(request, response))
    return upstream
  }

  get url(): string {
    if (this.server === undefined) throw new Error('The upstream does not listen.')
    return this.server.url
  }

  /** Every generation that was ever asked for, by its path, in order. */
  get submitted(): string[] {
    return [...this.made.values()].map(({path}) => path)
  }

  /** Paths of the jobs that were asked for by their id: the caller has stored them. */
  get followed(): string[] {
    return [...this.made.values()].filter(({polls}) => polls > 0).map(({path}) => path)
  }

  /** Everything that runs is done, with all that comes later, until `reset()`. */
  finish(): void {
    this.isFinished = true
  }

  /** Whatever is asked for from now on is made, but its name is never said, until `reset()`. */
  fallSilent(): void {
    this.isSilent = true
  }

  reset(): void {
    this.isFinished = false
    this.isSilent = false
    this.made.clear()
  }

  async dispose(): Promise<void> {
    await this.server?.close()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const file = files[path]
    if (file !== undefined) {
      response.writeHead(200, {'content-type': file.type})
      response.end(file.bytes)
      return
    }
    // as: the peer is our own server, whose requests the contract tests check
    const body = JSON.parse(await bodyOf(request)) as Body
    const isQuestion = path.endsWith('/tasks')
    const [status, answer] = isQuestion ? this.retrieve(body) : this.submit(path, body)
    // the caller waits until it is gone
    if (this.isSilent && !isQuestion) return
    response.writeHead(status, {'content-type': 'application/json'})
    response.end(JSON.stringify(answer))
  }

  private submit(path: string, body: Body): [number, Body] {
    const id = randomUUID()
    this.made.set(id, {id, path, body, polls: 0})
    return [200, {task_id: id}]
  }

  private retrieve({id}: Body): [number, Body] {
    const job = this.made.get(String(id))
    if (job === undefined) return [404, {error: {code: 'not_found', message: 'No such task'}}]
    job.polls += 1
    const known = {id: job.id, created_at: 1, request: job.body}
    return [200, this.isFinished ? {...known, response: this.result(job)} : known]
  }

  private result({id, path, body}: Job): Body {
    const common = {success: true, task_id: id}
    if (path.startsWith('/kling'))
      return {...common, video_id: `v-${id}`, video_url: `${this.url}/made.mp4`, duration: '5', state: 'succeed'}
    if (path.startsWith('/suno')) {
      const song = {id: `a-${id}`, title: 'Tide', audio_url: `${this.url}/made.mp3`, state: 'succeeded', duration: 20}
      return {...common, data: [{...song, image_url: `${this.url}/made.png`}]}
    }
    return {...common, data: [{prompt: body['prompt'], image_url: `${this.url}/made.png`}]}
  }
}
