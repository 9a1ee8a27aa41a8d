import {inDatabase} from './installation.mjs'

/** Sentences in several scripts; Chinese and Japanese make the text of a conversation twice as wide in memory. */
const sentences = [
  'The kite rises over the harbour while the boats come home and nobody counts the hours of the evening.',
  'Straßenbahnen fahren bis Mitternacht; danach hilft nur ein Taxi, ein Fahrrad oder ein sehr langer Spaziergang.',
  'Ёлка стоит у окна, а за окном идёт снег, и никто не знает, когда он кончится в этом году.',
  'كتب الطالب رسالة طويلة إلى المدرسة وسأل فيها عن مواعيد الدروس والامتحانات في الفصل القادم.',
  '我今天想学习怎么做红烧肉，请告诉我需要哪些材料，以及每一步要用多长时间。',
  '東京タワーの近くで夕食を食べたいので、静かな店をいくつか教えてください。',
]

/** Every third conversation is Latin alone, as most are. @param {number} conversation @param {number} message */
const textOf = (conversation, message) => {
  const kinds = conversation % 3 === 0 ? 2 : sentences.length
  const said = (/** @type {number} */ index) => sentences[(conversation + message + index) % kinds]
  // answers have marks
  return message % 2 === 1
    ? `## ${said(0)}\n\n- **${said(1)}** ${said(2)}\n- ${said(3)}\n\n\`foo\` ${said(4)}`
    : Array.from({length: 5}, (_, index) => said(index)).join(' ')
}

/**
 * The messages of a conversation, questions and answers in turn. The words of rare queries are in the last message of
 * the first one, which is the oldest.
 * @param {number} conversation @param {number} count
 */
export const textsOf = (conversation, count) =>
  Array.from({length: count}, (_, message) =>
    conversation === 0 && message === count - 1 ? 'a needle of Zoë, 干し草の中の針' : textOf(conversation, message),
  )

/** The rows of one statement. */
const batch = 100

/**
 * Takes the conversations of a user away and puts so many others there, each a minute newer than the one before it.
 * @param {import('./installation.mjs').Bench} bench @param {string} userId @param {{count: number, messages: number}}
 * sizes
 */
export const fillConversations = (bench, userId, {count, messages}) =>
  inDatabase(bench, async (client) => {
    await client.query('delete from conversations where user_id = $1', [userId])
    for (let from = 0; from < count; from += batch) {
      const conversations = Array.from({length: Math.min(batch, count - from)}, (_, index) => ({
        title: `Conversation ${from + index}`,
        minutesAgo: count - from - index,
        texts: textsOf(from + index, messages),
      }))
      await client.query(
        `with given as (
           select gen_random_uuid() as id, conversation from jsonb_array_elements($2::jsonb) conversation
         ), made as (
           insert into conversations (id, user_id, model, title, updated_at)
           select id, $1, 'gpt-5', conversation->>'title', now() - make_interval(mins => (conversation->>'minutesAgo')::int)
           from given
         )
         insert into messages (user_id, conversation_id, position, role, content, model)
         select $1, id, place - 1, case when place % 2 = 1 then 'user' else 'assistant' end, text, 'gpt-5'
         from given, jsonb_array_elements(conversation->'texts') with ordinality as said(text, place)`,
        [userId, JSON.stringify(conversations)],
      )
    }
  })

/**
 * Opens an empty chat and waits until the page has read all conversations of the user.
 * @param {import('./installation.mjs').Bench} bench @param {import('playwright').Page} page
 */
export async function openWithAll(bench, page) {
  let readCount = 0
  const whole = new Promise((resolve, reject) => {
    page.on('response', (response) => {
      if (!(response.request().postData() ?? '').includes('"retrieve_batch"')) return
      response.json().then(({items, count}) => {
        readCount += items.length
        if (readCount >= count) resolve(undefined)
      }, reject)
    })
  })
  await page.goto(`${bench.url}/chatgpt/conversations`)
  await whole
  await page
    .getByRole('navigation', {name: 'Conversations'})
    .getByRole('link', {name: /^Conversation /})
    .first()
    .waitFor()
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}
