import {useSelector} from '@xstate/react'
import {canSpeak} from '#browser/speech.ts'
import {selectPhase} from '#machines/read-aloud/read-aloud.machine.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {StopIcon} from '#ui/icons.tsx'
import {ReadAloudIcon} from '#ui/message-icons.tsx'
import {useText} from '#ui/text.tsx'
import {plainText} from './markdown/plain-text.ts'
import type {Voice} from './use-voice.ts'

type ReadAloudButtonProps = {voice: Voice; index: number; answer: string}

/** Reads an answer with the browser's voice, or stops it; nothing where the browser has none. */
export function ReadAloudButton({voice, index, answer}: ReadAloudButtonProps) {
  const text = useText()
  const phase = useSelector(voice.actor, (snapshot) => snapshot && selectPhase(snapshot, index))
  if (!canSpeak()) return null
  return (
    <>
      {phase === 'reading' ? (
        <IconButton
          size="sm"
          label={text('chat.stopReading')}
          icon={<StopIcon />}
          onClick={() => voice.actor?.send({type: 'reading.stop'})}
        />
      ) : (
        <IconButton
          size="sm"
          label={text('chat.readAloud')}
          icon={<ReadAloudIcon />}
          onClick={() => voice.read(index, plainText(answer))}
        />
      )}
      {phase === 'failed' && <span role="status">{text('chat.noVoice')}</span>}
    </>
  )
}
