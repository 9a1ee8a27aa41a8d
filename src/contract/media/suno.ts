import {z} from '../schema.ts'
import {
  address,
  anyOf,
  between,
  changed,
  faultsOf,
  field,
  missing,
  needs,
  noPrompt,
  openField,
  priceElse,
  priceWhen,
  resultId,
  settled,
  switchField,
  text,
  textField,
  tooLong,
  wholeBetween,
  withoutEmpty,
} from './media-rules.ts'
import {lyricsOf, readSuno, recordingOf, songsOf} from './media-songs.ts'
import {defineOperation, defineTool, type ToolExample, type ToolIdentity} from './media-tool.ts'

export const identity = {
  id: 'suno',
  name: 'Suno',
  group: 'music',
  service: 'suno',
  serviceId: 'f2b646d8-3cfd-46ef-969a-1ea9eebde329',
  order: 10,
  inputs: [
    {medium: 'audio', field: 'reference_url', label: 'reference', most: 1, set: {audio_id: ''}},
    {
      medium: 'text',
      field: 'lyric',
      label: 'lyrics',
      most: 1,
      set: {mode: 'custom', instrumental: false, reference_url: ''},
    },
    {medium: 'text', field: 'prompt', label: 'description', most: 1, set: {mode: 'simple', reference_url: ''}},
  ],
} as const satisfies ToolIdentity

export const example = {
  path: '/suno/audios',
  body: {prompt: 'A calm song about the sea'},
} as const satisfies ToolExample

export const sunoModels = [
  'chirp-v2-xxl-alpha',
  'chirp-v3-0',
  'chirp-v3-5',
  'chirp-v4',
  'chirp-v4-5',
  'chirp-v4-5-plus',
  'chirp-v5',
] as const
export const sunoLimits = {prompt: 200, lyric: 3000, style: 200, title: 80, continueAt: 3600}
/** Actions that work on a song; of the last row only the API's documents know. */
const songActions = ['extend', 'cover', 'upload_extend', 'stems', 'concat'] as const
const apiActions = ['upload_cover', 'replace_section', 'remaster', 'all_stems'] as const

/**
 * Contract/media §2.12. `mode` is the wire's `custom`; `action` and `audio_id` are set by the actions of a song, with
 * its cover and length to show, and its title and style, which leave with it; `reference_url` is an own recording,
 * which is sent to be prepared and extended then.
 */
const form = z.object({
  mode: field(z.enum(['simple', 'custom']), 'simple'),
  model: field(z.enum(sunoModels), 'chirp-v4-5'),
  prompt: textField(),
  instrumental: switchField(false),
  lyric: textField(),
  style: textField(),
  title: textField(),
  action: field(z.enum(['', 'extend', 'cover', 'upload_extend']), ''),
  audio_id: textField(),
  continue_at: openField(wholeBetween(0, sunoLimits.continueAt)),
  source_cover: textField(),
  source_seconds: openField(z.number().check(z.minimum(0))),
  source_title: textField(),
  source_style: textField(),
  reference_url: textField(),
})

/** The app's limits are lower than the API's (upstream §4), which the server takes. */
const audioBody = z
  .strictObject({
    action: z.optional(anyOf(['generate', ...songActions, ...apiActions])),
    model: z._default(z.enum(sunoModels), 'chirp-v4-5'),
    custom: z.optional(z.boolean()),
    prompt: z.optional(text(500)),
    instrumental: z.optional(z.boolean()),
    lyric: z.optional(text(5000)),
    style: z.optional(text(1000)),
    title: z.optional(text(100)),
    audio_id: z.optional(resultId),
    continue_at: z.optional(between(0, sunoLimits.continueAt)),
    style_negative: z.optional(text(1000)),
    audio_weight: z.optional(between(0, 1)),
    persona_id: z.optional(resultId),
    vocal_gender: z.optional(anyOf(['', 'f', 'm'])),
    weirdness: z.optional(between(0, 1)),
    style_influence: z.optional(between(0, 1)),
    lyric_prompt: z.optional(text(3000)),
  })
  .check(
    needs('audio_id', ({action = 'generate', audio_id}) => action === 'generate' || audio_id !== undefined),
    needs('prompt', ({action = 'generate', custom = false, prompt = ''}) =>
      action === 'generate' && !custom ? prompt.trim() !== '' : true,
    ),
    needs('lyric', ({action = 'generate', custom = false, instrumental = false, lyric = '', lyric_prompt = ''}) =>
      action === 'generate' && custom && !instrumental ? (lyric + lyric_prompt).trim() !== '' : true,
    ),
  )

const songCount = (action: string | undefined) => (action === 'concat' ? 1 : 2)
const square = [1, 1] as const
/** One empty text is as good as none. */
const filled = (value: string | undefined) => (value === '' ? undefined : value)

export const tool = defineTool({
  identity,
  taskType: 'audios',
  form,
  operations: {
    audios: defineOperation({
      path: '/suno/audios',
      taskType: 'audios',
      body: audioBody,
      plan: (body) => ({
        medium: 'audio',
        prompt: filled(body.prompt) ?? filled(body.style) ?? filled(body.title) ?? '',
        count: songCount(body.action),
        aspectRatio: square,
        sources: [],
        ...(body.audio_id === undefined ? {} : {sourceId: body.audio_id, action: body.action}),
        ...(body.action === 'concat' ? {joins: true as const} : {}),
        song: {
          title: filled(body.title),
          style: filled(body.style),
          lyric: filled(body.lyric),
          isInstrumental: body.instrumental === true,
          model: body.model,
          ...(body.continue_at === undefined ? {} : {continueAt: body.continue_at}),
        },
      }),
      respond: (results, body, progress) => songsOf(results, body, songCount(body.action), progress),
    }),
    lyrics: defineOperation({
      path: '/suno/lyrics',
      // one list holds all that a user made here; the answer tells what it is
      taskType: 'audios',
      body: z
        .strictObject({prompt: text(500), model: z.optional(anyOf(['default', 'remi-v1']))})
        .check(needs('prompt', ({prompt}) => prompt.trim() !== '')),
      plan: ({prompt}) => ({medium: 'text', prompt, count: 1, aspectRatio: square, sources: [], action: 'lyrics'}),
      respond: (results, _body, progress) => lyricsOf(results, progress),
    }),
    upload: defineOperation({
      path: '/suno/upload',
      // stands among the songs, where it can be extended
      taskType: 'audios',
      body: z.strictObject({audio_url: address}),
      plan: ({audio_url}) => ({
        medium: 'audio',
        prompt: '',
        count: 1,
        aspectRatio: square,
        sources: [audio_url],
        action: 'upload',
      }),
      respond: ([audio], {audio_url}, progress) => recordingOf(audio, audio_url, progress),
    }),
    mp4: defineOperation({
      path: '/suno/mp4',
      taskType: 'audios',
      body: z.strictObject({audio_id: resultId}),
      plan: ({audio_id}) => ({
        medium: 'video',
        prompt: '',
        count: 1,
        aspectRatio: square,
        sources: [],
        sourceId: audio_id,
        action: 'mp4',
      }),
      respond: ([video], _body, progress) =>
        video === undefined || progress < 100 ? {} : {data: {video_url: video.url}},
    }),
  },
  settle: (values) => {
    const none = {
      audio_id: '',
      action: '',
      continue_at: undefined,
      source_cover: '',
      source_seconds: undefined,
      source_title: '',
      source_style: '',
      // words of the user's own stay
      title: values.title === values.source_title ? '' : values.title,
      style: values.style === values.source_style ? '' : values.style,
    } as const
    // a song can only be worked on in custom mode, and an action without its song is none
    if (values.audio_id === '') return changed(values, none)
    if (values.mode === 'simple') return changed(values, none, ['audio_id'])
    const {continue_at, source_seconds, reference_url} = values
    // a song that is worked on replaces a recording, whose field does not show then
    if (reference_url !== '') return changed(values, {reference_url: ''})
    return continue_at !== undefined && source_seconds !== undefined && continue_at > source_seconds
      ? changed(values, {continue_at: Math.floor(source_seconds)}, ['continue_at'])
      : settled(values)
  },
  faults: (values) => {
    if (values.reference_url !== '') return []
    if (values.mode === 'simple')
      return faultsOf(noPrompt(values.prompt), tooLong('prompt', values.prompt, sunoLimits.prompt))
    return faultsOf(
      values.instrumental || values.action !== '' ? undefined : missing('lyric', values.lyric, 'lyricNeeded'),
      values.instrumental ? undefined : tooLong('lyric', values.lyric, sunoLimits.lyric),
      tooLong('style', values.style, sunoLimits.style),
      tooLong('title', values.title, sunoLimits.title),
    )
  },
  submit: (values) => {
    const {mode, model, prompt, instrumental, lyric, style, title, action, audio_id, continue_at, reference_url} =
      values
    if (reference_url !== '') return {operation: 'upload', body: {audio_url: reference_url}}
    const sung = instrumental ? {instrumental} : {}
    if (mode === 'simple') return {operation: 'audios', body: {model, prompt, ...sung}}
    return {
      operation: 'audios',
      body: withoutEmpty({
        model,
        custom: true,
        ...sung,
        lyric: instrumental ? '' : lyric,
        style,
        title,
        action,
        audio_id,
        continue_at: action === 'extend' ? continue_at : undefined,
      }),
    }
  },
  read: readSuno,
  reuse: (request) => ({
    ...request,
    // a lyric, or what is made of a song, is in neither
    ...(request.custom === true
      ? {mode: 'custom'}
      : request.prompt !== undefined && sunoModels.some((model) => model === request.model)
        ? {mode: 'simple'}
        : {}),
    reference_url: request.audio_url,
  }),
  // a recording that was prepared is extended next (contract/media §2.12)
  next: ({artifacts: [recording]}, {audio_url}, {reference_url}) =>
    reference_url === '' || audio_url !== reference_url || recording?.id === undefined
      ? undefined
      : {
          mode: 'custom' as const,
          action: 'upload_extend' as const,
          audio_id: recording.id,
          source_seconds: recording.durationSeconds,
          source_cover: '',
          reference_url: '',
        },
  price: [
    // the four operations are told apart by the keys only they have
    priceWhen({action: 'stems'}, 2.5),
    priceWhen({action: 'concat'}, 0.5),
    priceWhen({action: ['upload_extend', 'upload_cover']}, 2),
    priceWhen({model: ['chirp-v4-5-plus', 'chirp-v5']}, 2),
    priceWhen({model: sunoModels}, 1.6),
    priceWhen({action: ['extend', 'cover', 'replace_section', 'remaster', 'all_stems']}, 1.6),
    {conditions: {'!!': [{var: 'audio_url'}]}, consumption: 0.06},
    {conditions: {'!!': [{var: 'audio_id'}]}, consumption: 0.2},
    priceElse(0.1),
  ],
})
