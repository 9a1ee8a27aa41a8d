import {fromPromise, type AnyActorRef} from 'xstate'
import {speak} from '#browser/speech.ts'
import {spokenText} from '#features/chat/markdown/plain-text.ts'
import {readAloudMachine, type ReadAloudActor} from '#machines/read-aloud/read-aloud.machine.ts'
import {openNumberedPart} from '../logic/open-numbered-part.ts'

/**
 * Starts the voice of a thread, a part of its session; it reads in the language of the page unless the text is written
 * otherwise.
 * @throws where there is no session
 */
export const startVoice = (system: AnyActorRef['system']): ReadAloudActor =>
  openNumberedPart(system, 'readAloud', () => ({
    machine: readAloudMachine.provide({
      actors: {
        readText: fromPromise<void, {text: string}>(({input, signal}) =>
          speak(spokenText(input.text), document.documentElement.lang, signal),
        ),
      },
    }),
    input: undefined,
  }))
