import {messageText} from '#domain/conversation.ts'
import type {ChatInput} from '#server/providers/provider.ts'
import {attachmentFacts, attachmentsOf} from './attachments.ts'
import {runCommand} from './commands.ts'
import {searchHelp, type HelpAnswer} from './help-search.ts'
import {reply, type Reply} from './reply.ts'

const greeting =
  /^(?:hi|hello|hey|hallo|good (?:morning|evening|afternoon)|thanks|thank you)[\s!.,]*(?:(?:there|atrium)[\s!.]*)?$/i

const introduction = [
  'I am the sandbox of Atrium. I look things up in the help pages, read facts of files, and show how answers look or fail.',
  '',
  'Try one of these:',
  '',
  '- How do I add a provider?',
  '- `/markdown`, `/slow`, `/error busy`; `/help` lists everything',
].join('\n')

const unknown = [
  'I found nothing about this in the help pages, and I cannot make up an answer: there is no language model behind me.',
  '',
  'What I can do: answer questions about Atrium itself, read facts of files, show how answers look or fail. `/help` lists it all.',
  '',
  'For real answers connect a model. Start Ollama, LM Studio or llama.cpp on this machine and it appears in the model list by itself, or set `OPENAI_BASE_URL` and `OPENAI_API_KEY` (or `DEEPSEEK_API_KEY`, `XAI_API_KEY`, `ACEDATA_API_KEY`) and start Atrium again. `/help models` says more.',
].join('\n')

const quote = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')

function fromHelp({best, others}: HelpAnswer): string {
  const more = others.map(({page, title}) => `- ${page} › ${title}`)
  return [
    `From the help, ${best.page} › **${best.title}**:`,
    '',
    quote(best.body),
    ...(more.length > 0 ? ['', 'Also in the help:', '', ...more] : []),
  ].join('\n')
}

/** The answer to plain text: from the help pages, or that they contain none. */
function answerWords(question: string): string {
  if (question === '' || greeting.test(question)) return introduction
  const matches = searchHelp(question)
  return matches ? fromHelp(matches) : unknown
}

/** The reply to a conversation: only its last message counts. Equal questions get equal replies. */
export async function answerOf(input: ChatInput): Promise<Reply> {
  const last = input.messages.findLast(({role}) => role === 'user')
  const question = messageText(last?.content ?? '').trim()
  const command = runCommand(question)
  if (command) return command
  const addresses = attachmentsOf(last?.content ?? '')
  if (addresses.length === 0) return reply(answerWords(question))
  const facts = await attachmentFacts(addresses, input)
  const cannot = 'I read these facts from the bytes; I cannot see what an image shows or understand what a text says.'
  return reply([facts, '', cannot, ...(question === '' ? [] : ['', answerWords(question)])].join('\n'))
}
