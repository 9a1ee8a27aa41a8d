import {shortText} from '#domain/cut-text.ts'
import {errorKinds, type ErrorKind} from '#domain/error-kinds.ts'
import markdown from './demonstrations/markdown.md?raw'
import {findHelpPage, helpPages} from './help-search.ts'
import {refusal, reply, slowPace, streamPace, usualPace, type Reply} from './reply.ts'
import {numberedText} from './word-stream.ts'

type Command = (rest: string) => Reply

const mostWords = 20_000
/** Failures that a prompt can request; the media sandbox has the same. */
export const errorCommandKinds: readonly (ErrorKind | 'forbidden')[] = [...errorKinds, 'forbidden']

const helpOverview = () =>
  [
    'Pages you can ask about, or read whole:',
    '',
    ...helpPages.map(({name, title}) => `- \`/help ${name}\`: ${title}`),
    '',
    findHelpPage('sandbox')?.text.split('## Commands')[1]?.trim() ?? '',
  ].join('\n')

const help: Command = (rest) => {
  if (rest === '') return reply(helpOverview())
  const page = findHelpPage(rest)
  return reply(page?.text ?? `There is no page "${shortText(rest, 80)}".\n\n${helpOverview()}`)
}

const error: Command = (rest) => {
  const kind = errorCommandKinds.find((name) => name === rest.toLowerCase())
  if (kind === undefined) {
    const list = errorCommandKinds.map((name) => `- \`/error ${name}\``).join('\n')
    return reply(`Name the kind of error you want to see:\n\n${list}`)
  }
  return refusal(kind, `The sandbox fails with this error because you asked for it: /error ${kind}`)
}

const disconnect: Command = () => ({
  ...reply(
    'This answer breaks off in the middle of a sentence, as if the connection to the provider had been lost. What you have read so far is kept, the message is marked as interrupted, and you can',
  ),
  failure: {
    code: 'api_error',
    detail: 'The connection to the provider was lost: the sandbox cut it because you asked for it with /disconnect.',
    interrupted: true,
  },
})

const stream: Command = (rest) => {
  const [count = '', pace = String(streamPace)] = rest.split(/\s+/)
  const words = Number(count || '500')
  const wordsPerSecond = Number(pace)
  if (!Number.isInteger(words) || words < 1 || words > mostWords || !(wordsPerSecond >= 1 && wordsPerSecond <= 5000)) {
    return reply(
      `Write \`/stream\`, a number of words from 1 to ${mostWords} and, if you like, words a second from 1 to 5000.`,
    )
  }
  return reply(numberedText(words), wordsPerSecond)
}

const thinking = [
  '<think>',
  'The question asks how an answer with reasoning looks. A model that reasons writes this part first; it is shown apart from the answer and can be folded away.',
  '',
  'Nothing was thought here: this text is always the same.',
  '</think>',
  '',
  'And this is the answer. Above it stands the part that a reasoning model would have written for itself.',
].join('\n')

const commands: Readonly<Record<string, Command>> = {
  help,
  markdown: () => reply(markdown),
  think: () => reply(thinking),
  long: () => reply(helpPages.map(({text}) => text).join('\n\n---\n\n'), 2 * usualPace),
  slow: () =>
    reply(
      'This answer is written slowly, three words a second, so that there is time to stop it, to switch to another conversation, to reload the page, or to lose the network on purpose and see what happens.',
      slowPace,
    ),
  stream,
  echo: (rest) => reply(rest === '' ? 'Write something after it: `/echo Hello`' : rest),
  error,
  disconnect,
}

/**
 * The reply to a message that begins with `/`; `undefined` for other messages, also for a path such as `/etc/hosts`.
 */
export function runCommand(message: string): Reply | undefined {
  const [, name = '', rest = ''] = /^\/([a-z]{2,20})(?:\s+(\S[\s\S]*))?$/i.exec(message.trim()) ?? []
  if (name === '') return undefined
  const lowerName = name.toLowerCase()
  const command = Object.hasOwn(commands, lowerName) ? commands[lowerName] : undefined
  return command?.(rest.trim()) ?? reply(`There is no command "/${name}".\n\n${helpOverview()}`)
}
