import type {Page, Route} from '@playwright/test'
import {initialTransition} from 'xstate'
import {playerMachine, type PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectKept} from '#machines/player/player.selectors.ts'
import {expect, test} from './fixtures.ts'
import {act, graphOf, leavesOf, restingStates, sender, walkOverAllEdges, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute, refuseWith} from './support/held-route.ts'
import {cards, generate, openTool} from './support/media-page.ts'

/* The player bar shows each resting state of the player machine, over every edge of the actions below. */

type Shown = 'none' | 'open.loading' | 'open.playing' | 'open.paused' | 'open.kept' | 'open.failed'
type Action = 'choose' | 'sound comes' | 'sound fails' | 'pause' | 'resume' | 'end' | 'retry' | 'close' | 'reload'

const song = {id: 'a', url: '/a.mp3', title: 'a', duration: 20}
const send = sender(playerMachine)
const begin = (kept?: ReturnType<typeof selectKept>): PlayerSnapshot =>
  initialTransition(playerMachine, {volume: undefined, kept})[0]
// as: outside of `open` the player has one state; `leavesOf` reads the value of the snapshot
const shownBy = ({value}: PlayerSnapshot): Shown => leavesOf(value)[0] as Shown

const inOpen =
  (shown: readonly Shown[], then: (snapshot: PlayerSnapshot) => PlayerSnapshot) => (snapshot: PlayerSnapshot) =>
    shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined

const chart: Chart<PlayerSnapshot, Action, Shown> = {
  start: () => begin(),
  shownBy,
  effects: {
    choose: inOpen(['none'], (snapshot) => send(snapshot, {type: 'track.play', track: song})),
    'sound comes': inOpen(['open.loading'], (snapshot) => send(snapshot, {type: 'audio.started'})),
    'sound fails': inOpen(['open.loading'], (snapshot) =>
      send(snapshot, {type: 'audio.failed', failure: {code: 'unknown', detail: 'foo'}}),
    ),
    pause: inOpen(['open.playing'], (snapshot) => send(snapshot, {type: 'player.toggle'})),
    resume: inOpen(['open.paused', 'open.kept'], (snapshot) => send(snapshot, {type: 'player.toggle'})),
    end: inOpen(['open.playing'], (snapshot) => send(snapshot, {type: 'audio.ended'})),
    retry: inOpen(['open.failed'], (snapshot) => send(snapshot, {type: 'player.retry'})),
    close: (snapshot) => (shownBy(snapshot) === 'none' ? undefined : send(snapshot, {type: 'player.close'})),
    reload: (snapshot) => begin(selectKept(snapshot)),
  },
}

/** The song as the server sends it, but not stored: the next time it is asked for again. */
const sendSong = async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({response, headers: {...response.headers(), 'cache-control': 'no-store'}})
}

const player = (page: Page) => page.getByRole('region', {name: 'Player'})
const playButtons = (page: Page) => cards(page).first().getByRole('button', {name: /^Play/})
const button = (page: Page, name: string) => player(page).getByRole('button', {name, exact: true})

const done: {[Name in Action]: (page: Page, sound: HeldRoute) => Promise<unknown>} = {
  choose: (page, sound) => {
    sound.hold()
    // the last of the two: no song follows it
    return playButtons(page).last().click()
  },
  'sound comes': (_, sound) => sound.let(sendSong),
  'sound fails': (_, sound) => sound.let(refuseWith(404, 'not_found')),
  pause: (page) => button(page, 'Pause').click(),
  resume: (page) => button(page, 'Play').click(),
  end: (page) => player(page).getByRole('slider', {name: 'Position'}).press('End'),
  retry: (page, sound) => {
    sound.hold()
    return button(page, 'Retry').click()
  },
  close: (page) => button(page, 'Close player').click(),
  reload: async (page, sound) => {
    sound.hold()
    await page.reload()
    await cards(page).first().waitFor()
  },
}

const expected: {[Name in Shown]: (page: Page, sound: HeldRoute) => Promise<unknown>} = {
  none: (page) => expect(player(page)).toHaveCount(0),
  'open.loading': (page) => expect(button(page, 'Pause')).toHaveAttribute('aria-busy', 'true'),
  'open.playing': (page) => expect(button(page, 'Pause')).toHaveAttribute('aria-busy', 'false'),
  'open.paused': (page) => expect(button(page, 'Play')).toBeVisible(),
  'open.kept': async (page, sound) => {
    await expect(button(page, 'Play')).toBeVisible()
    expect(sound.asked).toBe(0)
  },
  'open.failed': (page) => expect(player(page).getByRole('alert')).toHaveText("This track can't be played right now."),
}

test('the page shows every resting state of the player', long, async ({chat: page}) => {
  const graph = graphOf(chart)
  expect([...graph.keys()].sort()).toEqual(restingStates(playerMachine))
  await openTool(page, '/suno')
  await generate(page, 'a sea shanty')
  // a bound against a hang: a busy machine takes long over two songs
  await expect(playButtons(page)).toHaveCount(2, {timeout: 120_000})
  const sound = await HeldRoute.on(page, /\/files\/.*\.mp3/)
  let snapshot = chart.start()
  for (const action of walkOverAllEdges(graph, 'none')) {
    const next = act(chart, snapshot, action)
    await test.step(`${shownBy(snapshot)} → ${action} → ${shownBy(next)}`, async () => {
      sound.asked = 0
      await done[action](page, sound)
      await expected[shownBy(next)](page, sound)
    })
    snapshot = next
  }
})
