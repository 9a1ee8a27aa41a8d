import {act, screen} from '@testing-library/react'
import {useEffect, useState} from 'react'
import {vi} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {screen as klingScreen} from '#contract/media/kling.screen.ts'
import {type Task} from '#contract/task.ts'
import {type Jump} from '#features/media/feed/feed.tsx'
import {MediaScreen} from '#features/media/media-screen.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {now} from './cards.ts'
import {createMediaWorld, InMedia} from './media-fixture.tsx'
import {eventually} from '../../eventually.ts'

// as: the world holds any tool, and a form of one tool is narrower than that
export const klingShown = {tool: kling, screen: klingScreen} as unknown as Parameters<typeof createMediaWorld>[0]

/** A finished task of kling. */
export const klingTask = (id: string, given: Partial<Task> = {}): Task => ({
  id,
  type: 'videos',
  created_at: now - 60,
  request: {prompt: `prompt ${id}`, model: 'kling-v1', duration: 5, aspect_ratio: '16:9', mode: 'std'},
  response: {
    success: true,
    task_id: id,
    video_id: `v-${id}`,
    video_url: `https://cdn.example/${id}.mp4`,
    state: 'succeed',
  },
  ...given,
})

/** The width of the window, as media queries see it. */
export const useWidth = (width: number) =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), {
        matches: query.startsWith('(min-width')
          ? width >= Number(/\d+/.exec(query)?.[0])
          : query.startsWith('(max-width')
            ? width <= Number(/\d+/.exec(query)?.[0])
            : false,
        media: query,
      }) as unknown as MediaQueryList, // only what the hook reads
  )

/** The shell's panel and head, which the screen fills. */
export function Slots() {
  return (
    <>
      <aside id="panel" />
      <header id="head" />
    </>
  )
}
export const slots = () => ({panel: document.querySelector('#panel'), head: document.querySelector('#head')})

type Shown = Parameters<typeof createMediaWorld>[0]
type Options = Parameters<typeof createMediaWorld>[1]

/** The screen of a tool with its list read and its set-up settled; `goTo` names a task as the address does. */
export async function openScreen(shown: Shown, options: Options = {}, words: Record<string, string> = {}) {
  const world = createMediaWorld(shown, options)
  let goTo: (jump: Jump) => void = () => undefined
  function Screen() {
    const [jump, setJump] = useState<Jump>()
    useEffect(() => {
      goTo = setJump
    }, [])
    return <MediaScreen slots={slots()} jump={jump} switcher={() => <button type="button">Kling</button>} />
  }
  renderView(<Slots />)
  const view = renderView(
    <InMedia media={world.media}>
      <Screen />
    </InMedia>,
    {words},
  )
  await act(async () => {
    await eventually(() => {
      expectSettled(world.actors.pages.getSnapshot().matches({newest: 'request'}))
      expectSettled(world.actors.provisioning.getSnapshot().hasTag('settling'))
    })
  })
  // results are loaded with the first of them
  if ((options.tasks ?? []).length > 0) await screen.findAllByRole('article')
  return {...world, view, goTo: (task: string, visit: string) => act(() => goTo({task, visit}))}
}
export const openKling = (options?: Options) => openScreen(klingShown, options)
function expectSettled(isOpen: boolean) {
  if (isOpen) throw new Error('It has not settled')
}
