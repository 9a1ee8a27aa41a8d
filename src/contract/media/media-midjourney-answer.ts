import {artifact, numberIn, reading, textIn, textsIn} from './media-answer.ts'
import {imageActionNames} from './media-image-actions.ts'
import type {AnswerReading} from './media-tool.ts'

/* Midjourney's answers (contract/media §2.1): an image with its possible actions, videos, or descriptions. */

type Answer = Record<string, unknown>

/** Actions of ours, not the provider's: the image goes into another tab of the tool. */
const ownImageActions = ['animate', 'describe'] as const

function readImagine(answer: Answer): AnswerReading {
  const small = textIn(answer, 'image_url')
  const url = textIn(answer, 'raw_image_url') ?? small
  const image = artifact({
    medium: 'image',
    url,
    id: textIn(answer, 'image_id'),
    previewUrl: small,
    width: numberIn(answer, 'raw_image_width') ?? numberIn(answer, 'image_width'),
    height: numberIn(answer, 'raw_image_height') ?? numberIn(answer, 'image_height'),
  })
  const progress = numberIn(answer, 'progress')
  const isMade = url !== undefined && (progress ?? 100) >= 100
  const offeredActions = textsIn(answer, 'actions')
  return reading(url === undefined ? [] : [image], {
    progress,
    state: textIn(answer, 'state'),
    actions: [...imageActionNames.filter((name) => offeredActions.includes(name)), ...(isMade ? ownImageActions : [])],
  })
}

const readVideos = (answer: Answer): AnswerReading =>
  reading(
    textsIn(answer, 'video_urls').map((url) =>
      artifact({
        medium: 'video',
        url,
        id: textIn(answer, 'video_id'),
        previewUrl: textIn(answer, 'image_url'),
        width: numberIn(answer, 'image_width'),
        height: numberIn(answer, 'image_height'),
      }),
    ),
    {progress: numberIn(answer, 'progress'), state: textIn(answer, 'state')},
  )

/** A finished answer without descriptions is a failure: this operation has no `success`. */
function readDescriptions(answer: Answer): AnswerReading {
  const texts = textsIn(answer, 'descriptions')
  const progress = numberIn(answer, 'progress')
  const isUnderway = texts.length === 0 && progress !== undefined && progress < 100
  return reading(
    texts.map((text) => ({medium: 'text', text})),
    {progress, ...(isUnderway ? {} : {state: texts.length > 0 ? 'succeeded' : 'failed'})},
  )
}

/** Recognizes the three operations by the answer and the task's type, and by the request if neither suffices. */
export function readMidjourney(answer: Answer, request: Answer, taskType?: string): AnswerReading {
  if ('descriptions' in answer || taskType === 'describe') return readDescriptions(answer)
  if (taskType === 'videos') return readVideos(answer)
  const isVideo = 'video_urls' in answer || answer.type === 'videos' || request.resolution !== undefined
  if (isVideo) return readVideos(answer)
  const isDescription = request.prompt === undefined && request.action === undefined && request.image_url !== undefined
  return isDescription ? readDescriptions(answer) : readImagine(answer)
}
