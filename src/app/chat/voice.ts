import {createActor, fromPromise} from 'xstate'
import {speak} from '#browser/speech.ts'
import {readAloudMachine, type ReadAloudActor} from '#machines/read-aloud/read-aloud.machine.ts'

/** Starts the voice of the page; it reads in the language of the page unless the text is written otherwise. */
export const startVoice = (): ReadAloudActor =>
  createActor(
    readAloudMachine.provide({
      actors: {
        readText: fromPromise<void, {text: string}>(({input, signal}) =>
          speak(input.text, document.documentElement.lang, signal),
        ),
      },
    }),
  ).start()
