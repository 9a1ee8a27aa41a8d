import {type Artifact} from '#contract/media/media-tool.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import type {Card, CardState} from '#machines/task-list/task-list.selectors.ts'
import type {CardCommands} from '#features/media/feed/card-commands.ts'
import {vi} from 'vitest'

/** Unix seconds of all tests: noon of 11 March 2026, local time. */
export const now = new Date(2026, 2, 11, 12).getTime() / 1_000

export const video = (given: Partial<Artifact> = {}): Artifact => ({
  medium: 'video',
  id: 'video-1',
  url: 'https://cdn.example/foo.mp4',
  previewUrl: 'https://cdn.example/foo.jpg',
  durationSeconds: 5,
  ...given,
})
export const image = (given: Partial<Artifact> = {}): Artifact => ({
  medium: 'image',
  id: 'image-1',
  url: 'https://cdn.example/foo.png',
  ...given,
})
export const song = (given: Partial<Artifact> = {}): Artifact => ({
  medium: 'audio',
  id: 'song-1',
  url: 'https://cdn.example/foo.mp3',
  previewUrl: 'https://cdn.example/cover.jpg',
  title: 'Tide',
  style: 'folk, slow',
  text: '[Verse]\nfoo',
  durationSeconds: 161,
  ...given,
})

export const card = (state: CardState, given: Partial<Card> = {}): Card => ({
  key: `key-${state}`,
  id: 'task-1',
  traceId: 'trace-1',
  tool: 'kling',
  type: 'videos',
  state,
  prompt: 'a paper boat',
  request: {prompt: 'a paper boat', aspect_ratio: '16:9'},
  reading: {artifacts: state === 'succeeded' ? [video()] : []},
  at: now - 72,
  finishedAt: undefined,
  failure: undefined,
  isDue: false,
  provider: undefined,
  isSandbox: false,
  credits: undefined,
  ...given,
})

export const createCommands = () => ({
  open: vi.fn<CardCommands['open']>(),
  choose: vi.fn<CardCommands['choose']>(),
  download: vi.fn<CardCommands['download']>(),
  setFavourite: vi.fn<CardCommands['setFavourite']>(),
  reuse: vi.fn<CardCommands['reuse']>(),
  usePrompt: vi.fn<CardCommands['usePrompt']>(),
  retry: vi.fn<CardCommands['retry']>(),
  edit: vi.fn<CardCommands['edit']>(),
  check: vi.fn<CardCommands['check']>(),
  sendAgain: vi.fn<CardCommands['sendAgain']>(),
  discard: vi.fn<CardCommands['discard']>(),
  remove: vi.fn<CardCommands['remove']>(),
  menu: vi.fn<CardCommands['menu']>((): MenuEntry[] => [{id: 'foo', label: 'Foo'}]),
  shortActions: () => [],
  act: vi.fn(),
  useIn: vi.fn<CardCommands['useIn']>((): MenuEntry[] => [{id: 'bar', label: 'Bar'}]),
  inputs: vi.fn<CardCommands['inputs']>(() => []),
  title: vi.fn<CardCommands['title']>(({prompt}) => prompt || 'Untitled'),
  work: vi.fn<CardCommands['work']>(() => undefined),
  meta: vi.fn<CardCommands['meta']>(() => ['v1', '5 s']),
  addCredits: vi
    .fn<CardCommands['addCredits']>()
    .mockReturnValue({href: '/console/applications/foo/extra', onFollow: vi.fn()}),
  now: () => now,
})
