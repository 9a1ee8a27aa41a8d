import type {Page} from '@playwright/test'
import {answers, expect, test} from './fixtures.ts'
import {chooseAction, conversations, ended} from './support/chat-page.ts'
import {walkPage} from './support/chart-walk.ts'
import {clipboard} from './support/clipboard.ts'
import {visitsChart, type Action, type Shown} from './support/conversation-visits.ts'
import {long} from './support/full-run.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * A reader follows a link to a version that is not chosen: over every edge of the graph generated from the machine,
 * their page shows what it says, and another tab of the user shows what the server has chosen.
 */

type Hands = {reader: Page; other: Page; link: string}
const pageTo = (name: 'Previous version' | 'Next version') => (hands: Hands) =>
  pager(answers(hands.reader).first()).getByRole('button', {name}).press('Enter')

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'follow the link': async ({reader, link}) => {
    // the address may be that of the link already
    await reader.goto(new URL('/robots.txt', link).href)
    await reader.goto(link)
  },
  'show the conversation': ({reader}) => conversations(reader).getByRole('link', {name: /^one/}).first().click(),
  'page to the chosen version': pageTo('Next version'),
  'ask there': ({reader}) => askAndRead(reader, 'more'),
  'choose the newer version': pageTo('Next version'),
}

/** The first question and its answer, whatever was asked after them. */
const begins = async (page: Page, word: string) => {
  await expect(answers(page).first()).toContainText(word)
  await expect(answers(page).nth(1)).toContainText(`said: ${word}`)
}
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'newer: chosen': async ({reader, other}) => {
    await begins(reader, 'uno')
    await begins(other, 'uno')
  },
  'older: visited': async ({reader, other}) => {
    await begins(reader, 'one')
    await expect(reader.getByText('The message of this link is not here.')).toHaveCount(0)
    await begins(other, 'uno')
  },
  'older: chosen': async ({reader, other}) => {
    await begins(reader, 'one')
    await begins(other, 'one')
  },
}

test(
  'a reader of another version sees what the machine says, over every edge',
  long,
  async ({chat: other, context, installation, signedIn}) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await askAndRead(other, 'one')
    await chooseAction(answers(other).nth(1), 'Copy link')
    await expect.poll(() => clipboard(other)).toContain('#')
    const link = await clipboard(other)
    await edit(answers(other).first(), 'uno', 'Save & ask again')
    await expectMessages(other, 'uno', 'said: uno')
    await ended(other)
    const reader = await blankTab(context, installation.url, signedIn)
    await reader.goto(link.slice(0, link.indexOf('#')))
    await walkPage(visitsChart, {reader, other, link}, {done, expected})
  },
)
