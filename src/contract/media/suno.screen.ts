import {largestFile} from '../files.ts'
import {namedChoices} from './media-fields.ts'
import {defineScreen, type ActionSubject} from './media-screen.ts'
import {sunoLimits, sunoModels, tool} from './suno.ts'

type SunoForm = {
  mode: 'simple' | 'custom'
  reference_url: string
  instrumental: boolean
  audio_id: string
  action: string
}

/** A recording of one's own goes first, alone. */
const isWritten = ({reference_url}: SunoForm) => reference_url === ''
const isSimple = (form: SunoForm) => isWritten(form) && form.mode === 'simple'
const isCustom = (form: SunoForm) => isWritten(form) && form.mode === 'custom'

const isUpload = ({request}: ActionSubject) => request.audio_url !== undefined
const isSong = (subject: ActionSubject) => subject.artifact.id !== undefined && !isUpload(subject)
const idOf = ({artifact}: ActionSubject) => artifact.id ?? ''
/** A song's model may be one the form does not offer (contract/media §2.12): then the chosen one stays. */
const modelOf = <Model extends string>({artifact}: ActionSubject, chosenModel: Model) =>
  sunoModels.find((model) => model === artifact.model) ?? chosenModel

/** Works on a song as it is. */
const wholeOf = (action: 'stems' | 'concat', subject: ActionSubject) => ({
  operation: 'audios' as const,
  body: {action, audio_id: idOf(subject)},
})

/** The form that works on this song. */
const source = (subject: ActionSubject) => ({
  mode: 'custom' as const,
  instrumental: false,
  reference_url: '',
  audio_id: idOf(subject),
  style: subject.artifact.style ?? '',
  title: subject.artifact.title ?? '',
  source_style: subject.artifact.style ?? '',
  source_title: subject.artifact.title ?? '',
  source_cover: subject.artifact.previewUrl ?? '',
  source_seconds: subject.artifact.durationSeconds,
})

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

const isExtension = ({action}: Record<string, unknown>) => action === 'extend' || action === 'upload_extend'

export const screen = defineScreen(tool, {
  results: 'songs',
  works: [
    {label: 'reference', when: ({audio_url}) => audio_url !== undefined},
    {label: 'madeCover', when: ({action}) => action === 'cover'},
    {label: 'madeWhole', when: ({action}) => action === 'concat'},
    // an extension is the added part alone
    {
      label: 'madeFrom',
      when: (request) => isExtension(request) && typeof request.continue_at === 'number',
      values: ({continue_at}) => ({time: clock(Number(continue_at))}),
    },
    {label: 'madeExtension', when: isExtension},
  ],
  fields: [
    {
      kind: 'tabs',
      key: 'mode',
      label: 'mode',
      choices: [
        {value: 'simple', label: 'modeSimple'},
        {value: 'custom', label: 'modeCustom'},
      ],
      showIf: isWritten,
    },
    {
      kind: 'taskRef',
      key: 'audio_id',
      previewKey: 'source_cover',
      label: 'common.mediaSource',
      showIf: ({audio_id}) => audio_id !== '',
    },
    {
      kind: 'select',
      key: 'model',
      label: 'common.mediaModel',
      choices: namedChoices({
        'chirp-v2-xxl-alpha': 'chirp v2 XXL alpha',
        'chirp-v3-0': 'chirp v3',
        'chirp-v3-5': 'chirp v3.5',
        'chirp-v4': 'chirp v4',
        'chirp-v4-5': 'chirp v4.5',
        'chirp-v4-5-plus': 'chirp v4.5+',
        'chirp-v5': 'chirp v5',
      }),
    },
    {kind: 'prompt', key: 'prompt', label: 'description', most: sunoLimits.prompt, isRequired: true, showIf: isSimple},
    {
      kind: 'slider',
      key: 'continue_at',
      label: 'continueAt',
      least: 0,
      most: sunoLimits.continueAt,
      mostOf: ({source_seconds}) => Math.floor(source_seconds ?? sunoLimits.continueAt),
      shown: ({source_seconds}) => Math.floor(source_seconds ?? 0),
      step: 1,
      showIf: ({action}) => action === 'extend',
    },
    {
      kind: 'lyrics',
      key: 'lyric',
      label: 'lyrics',
      most: sunoLimits.lyric,
      // the model tells this request from one for songs, whose body takes a lone prompt too
      write: (idea) => ({operation: 'lyrics', body: {prompt: idea, model: 'default'}}),
      showIf: (form) => isCustom(form) && !form.instrumental,
    },
    {
      kind: 'text',
      key: 'style',
      label: 'common.mediaStyle',
      help: 'styleHelp',
      most: sunoLimits.style,
      showIf: isCustom,
    },
    {kind: 'text', key: 'title', label: 'songTitle', most: sunoLimits.title, showIf: isCustom},
    {kind: 'switch', key: 'instrumental', label: 'instrumental', showIf: isWritten},
    {
      kind: 'files',
      key: 'reference_url',
      label: 'reference',
      help: 'referenceHelp',
      medium: 'audio',
      most: 1,
      types: ['audio/mpeg', 'audio/mp3'],
      maxBytes: largestFile,
      showIf: ({audio_id}) => audio_id === '',
    },
  ],
  actions: [
    {
      id: 'extend',
      label: 'common.mediaExtend',
      medium: 'audio',
      when: ({artifact}) => artifact.id !== undefined,
      fill: (subject, form) => ({
        ...form,
        ...source(subject),
        model: modelOf(subject, form.model),
        action: isUpload(subject) ? 'upload_extend' : 'extend',
        continue_at: isUpload(subject) ? undefined : Math.floor(subject.artifact.durationSeconds ?? 0),
      }),
    },
    {
      id: 'cover',
      label: 'cover',
      medium: 'audio',
      when: isSong,
      fill: (subject, form) => ({
        ...form,
        ...source(subject),
        model: modelOf(subject, form.model),
        action: 'cover',
        continue_at: undefined,
      }),
    },
    {
      id: 'stems',
      label: 'stems',
      medium: 'audio',
      when: isSong,
      send: (subject) => wholeOf('stems', subject),
    },
    {
      id: 'concat',
      label: 'concat',
      medium: 'audio',
      when: (subject) => isSong(subject) && subject.request.action === 'extend',
      send: (subject) => wholeOf('concat', subject),
    },
    {
      id: 'mp4',
      label: 'makeVideo',
      medium: 'audio',
      when: (subject) =>
        isSong(subject) && subject.artifact.videoUrl === undefined && subject.artifact.hasVideoComing !== true,
      send: (subject) => ({operation: 'mp4', body: {audio_id: idOf(subject)}}),
    },
  ],
  examples: [
    {label: 'exampleShanty', set: {mode: 'simple'}},
    {label: 'exampleLullaby', set: {mode: 'simple'}},
    {label: 'exampleSynth', set: {mode: 'simple', instrumental: true}},
  ],
})
