import {act} from '@testing-library/react'
import {vi} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {screen as klingScreen} from '#contract/media/kling.screen.ts'
import {type Task} from '#contract/task.ts'
import {MediaScreen} from '#features/media/media-screen.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {now} from './cards.ts'
import {createMediaWorld, InMedia} from './media-fixture.tsx'

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
export function Places() {
  return (
    <>
      <aside id="panel" />
      <header id="head" />
    </>
  )
}
export const slots = () => ({panel: document.querySelector('#panel'), head: document.querySelector('#head')})

/** The screen of kling with its list read and its set-up settled. */
export async function openKling(options: Parameters<typeof createMediaWorld>[1] = {}) {
  const world = createMediaWorld(klingShown, options)
  renderView(<Places />)
  const view = renderView(
    <InMedia media={world.media}>
      <MediaScreen slots={slots()} switcher={() => <button type="button">Kling</button>} />
    </InMedia>,
  )
  await act(async () => {
    await vi.waitFor(() => {
      expectSettled(world.actors.list.getSnapshot().matches({page: 'request'}))
      expectSettled(world.actors.provisioning.getSnapshot().hasTag('settling'))
    })
  })
  return {...world, view}
}
function expectSettled(isOpen: boolean) {
  if (isOpen) throw new Error('It has not settled')
}
