import {describe, expect, test} from 'vitest'
import type {Site} from '#contract/management.ts'
import {offeredTools} from '#domain/offered-tools.ts'
import {
  addWords,
  draftFaults,
  draftOf,
  isChangedDraft,
  mergeDrafts,
  withAddress,
  withDraft,
  type SiteDraft,
} from '#domain/site-draft.ts'
import {mayEditSite} from '#domain/site-editor.ts'

const tools = ['chatgpt', 'suno', 'flux']
const site: Site = {
  id: 'foo',
  origin: 'https://foo.test',
  title: 'Foo',
  keywords: ['a', 'b'],
  admins: ['u-1'],
  distribution: {default_inviter_id: 'u-2'},
  features: {chatgpt: {enabled: true, note: 'kept'}, suno: {enabled: false}, support: {enabled: true, discord: {}}},
  metadata: {bar: 1},
  updated_at: '2026-01-02T03:04:05.000Z',
}
const draft = draftOf(site, tools)

test('tools: a site that names any offers those it turned on, one that names none offers all', () => {
  expect(offeredTools(site.features, tools)).toEqual(['chatgpt'])
  expect(offeredTools({support: {enabled: true}}, tools)).toEqual(tools)
  expect([offeredTools(undefined, tools), offeredTools(null, tools)]).toEqual([tools, tools])
})

test('only an admin of the site edits it, and whom the server lets', () => {
  expect([
    mayEditSite(site, 'u-1'),
    mayEditSite(site, 'u-2'),
    mayEditSite({}, 'u-1'),
    mayEditSite(undefined, 'u-1'),
    mayEditSite({...site, editable: true}, 'u-2'),
  ]).toEqual([true, false, false, false, true])
})

describe('a draft', () => {
  test('says what the site says', () => {
    expect(draft).toEqual({
      title: 'Foo',
      logo: '',
      favicon: '',
      description: '',
      keywords: ['a', 'b'],
      admins: ['u-1'],
      defaultInviterId: 'u-2',
      forceInviterId: '',
      tools: ['chatgpt'],
      accent: undefined,
      discord: {isOn: false, address: ''},
      wechat: {isOn: false, address: ''},
    })
    expect(isChangedDraft(site, draft, tools)).toBe(false)
  })

  test('unchanged, the site is sent as it was read', () => expect(withDraft(site, draft, tools)).toEqual(site))

  test.each<[string, Partial<SiteDraft>, Partial<Site>]>([
    ['title without space around', {title: ' Bar '}, {title: 'Bar'}],
    ['emptied', {title: '', keywords: []}, {title: '', keywords: []}],
    [
      'pictures',
      {logo: 'https://foo.test/l', favicon: 'https://foo.test/f'},
      {logo: 'https://foo.test/l', favicon: 'https://foo.test/f'},
    ],
    ['one inviter', {forceInviterId: 'u-3'}, {distribution: {default_inviter_id: 'u-2', force_inviter_id: 'u-3'}}],
    ['admins', {admins: ['u-1', 'u-4']}, {admins: ['u-1', 'u-4']}],
    [
      'tools, all of them named, other features kept',
      {tools: ['chatgpt', 'flux']},
      {
        features: {
          chatgpt: {enabled: true, note: 'kept'},
          suno: {enabled: false},
          flux: {enabled: true},
          support: {enabled: true, discord: {}},
        },
      },
    ],
    ['a brand colour', {accent: {hue: 120, chroma: 0.1}}, {accent: {hue: 120, chroma: 0.1}}],
    [
      'one link of the support, the rest of it as it was',
      {discord: {isOn: true, address: 'https://foo.test/d'}},
      {
        features: {
          ...site.features,
          support: {enabled: true, discord: {enabled: true, url: 'https://foo.test/d'}, wechat: {enabled: false}},
        },
      },
    ],
  ])('changed: %s', (_, changes, expected) => {
    const changed = {...draft, ...changes}
    expect(isChangedDraft(site, changed, tools)).toBe(true)
    expect(withDraft(site, changed, tools)).toEqual({...site, ...expected})
  })

  test.each<[string, Partial<SiteDraft>, Partial<SiteDraft>, Partial<SiteDraft>]>([
    ['fields that were not changed are theirs', {title: 'Mine'}, {logo: 'theirs'}, {title: 'Mine', logo: 'theirs'}],
    ['of one field that both changed, ours stays', {title: 'Mine'}, {title: 'Theirs'}, {title: 'Mine'}],
    ['words of both', {keywords: ['a', 'c']}, {keywords: ['b', 'a', 'd']}, {keywords: ['a', 'd', 'c']}],
    [
      'a word that both add once',
      {keywords: ['a', 'b', 'c']},
      {keywords: ['c', 'a', 'b']},
      {keywords: ['c', 'a', 'b']},
    ],
    ['another order', {keywords: ['b', 'a']}, {title: 'Theirs'}, {keywords: ['b', 'a'], title: 'Theirs'}],
    ['admins of both', {admins: ['u-1', 'u-4']}, {admins: ['u-1', 'u-5']}, {admins: ['u-1', 'u-5', 'u-4']}],
    ['tools of both, in their order', {tools: []}, {tools: ['chatgpt', 'flux']}, {tools: ['flux']}],
    ['a colour taken away', {accent: undefined}, {title: 'Theirs'}, {title: 'Theirs'}],
  ])('on a site that another user changed: %s', (_, mine, theirs, expected) => {
    expect(mergeDrafts(draft, {...draft, ...mine}, {...draft, ...theirs}, tools)).toEqual({...draft, ...expected})
  })

  test.each<[Partial<SiteDraft>, ReturnType<typeof draftFaults>]>([
    [{}, {}],
    [{title: 'x'.repeat(200), description: 'x'.repeat(2_000), defaultInviterId: ''}, {}],
    [
      {title: 'x'.repeat(201), description: 'x'.repeat(2_001)},
      {title: 'tooLong', description: 'tooLong'},
    ],
    [{keywords: ['x'.repeat(81)]}, {keywords: 'tooLong'}],
    [{keywords: Array.from({length: 65}, String)}, {keywords: 'tooMany'}],
    [{admins: []}, {admins: 'none'}],
    [
      {defaultInviterId: 'a b', forceInviterId: 'ü'},
      {defaultInviterId: 'noId', forceInviterId: 'noId'},
    ],
    [{discord: {isOn: true, address: 'javascript:alert(1)'}}, {discord: 'noAddress'}],
    [{discord: {isOn: false, address: `https://foo.test/${'x'.repeat(2_048)}`}}, {discord: 'tooLong'}],
  ])('%o has the faults %o', (changes, faults) => expect(draftFaults({...draft, ...changes})).toEqual(faults))
})

test('a brand colour and the last link of the support are taken away', () => {
  const coloured: Site = {...site, accent: {hue: 120, chroma: 0.1}}
  expect(withDraft(coloured, {...draftOf(coloured, tools), accent: undefined}, tools).accent).toBeNull()
  const support = {enabled: true, discord: {enabled: true, url: 'https://foo.test/d'}}
  const supported: Site = {...site, features: {support}}
  expect(
    withDraft(
      supported,
      {...draftOf(supported, tools), discord: withAddress(draftOf(supported, tools).discord, '')},
      tools,
    ).features,
  ).toEqual({
    support: {enabled: false, discord: {enabled: false, url: ''}, wechat: {enabled: false}},
  })
})

test('a channel that is turned off keeps its address, and the other one its own', () => {
  const support = {
    enabled: true,
    discord: {enabled: true, url: 'https://foo.test/d', note: 'kept'},
    wechat: {enabled: true, qr: 'not an address'},
  }
  const supported: Site = {...site, features: {support}}
  const draft = draftOf(supported, tools)
  expect(draft.discord).toEqual({isOn: true, address: 'https://foo.test/d'})
  const off = withDraft(supported, {...draft, discord: {...draft.discord, isOn: false}}, tools)
  expect(off.features?.support).toEqual({...support, discord: {...support.discord, enabled: false}})
  expect(draftOf(off, tools).discord).toEqual({isOn: false, address: 'https://foo.test/d'})
})

test('an address turns its channel on, its loss turns it off; another one leaves it', () => {
  expect(withAddress({isOn: false, address: ''}, 'h')).toEqual({isOn: true, address: 'h'})
  expect(withAddress({isOn: false, address: 'h'}, 'ht')).toEqual({isOn: false, address: 'ht'})
  expect(withAddress({isOn: true, address: 'h'}, '')).toEqual({isOn: false, address: ''})
})

test('words are cut at commas of any script and at lines, each once', () => {
  expect(addWords(['a'], ' b, c，d、e\nb ,, a ')).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(addWords(['a'], '  ')).toEqual(['a'])
})
