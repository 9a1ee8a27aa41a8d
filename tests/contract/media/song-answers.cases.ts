import {video, type Case} from './answers.cases.ts'

export const songAnswers: Case[] = [
  [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {
          id: 'a1',
          title: 'Tide',
          audio_url: 'https://files.test/a1.mp3',
          video_url: '',
          image_url: 'https://files.test/a1.jpg',
          lyric: 'yo',
          style: 'folk',
          model: 'chirp-v4-5',
          duration: 151.2,
          state: 'succeeded',
        },
      ],
    },
    'succeeded',
    [
      {
        medium: 'audio',
        url: 'https://files.test/a1.mp3',
        id: 'a1',
        previewUrl: 'https://files.test/a1.jpg',
        title: 'Tide',
        text: 'yo',
        style: 'folk',
        model: 'chirp-v4-5',
        durationSeconds: 151.2,
      },
    ],
  ],
  [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {id: 'a', audio_url: 'https://files.test/a.mp3', state: 'succeeded'},
        {id: 'b', state: 'running'},
      ],
    },
    'running',
    [
      {medium: 'audio', url: 'https://files.test/a.mp3', id: 'a'},
      {medium: 'audio', id: 'b'},
    ],
  ],
  // a song that failed takes nothing from the other one, be that done or not
  ...(
    [
      ['running', 'running'],
      ['succeeded', 'succeeded'],
    ] as const
  ).map(([state, status]): Case => [
    'suno',
    {prompt: 'sea shanty'},
    {
      success: true,
      data: [
        {id: 'a', state: 'error'},
        {id: 'b', audio_url: 'https://files.test/b.mp3', state},
      ],
    },
    status,
    [{medium: 'audio', url: 'https://files.test/b.mp3', id: 'b'}],
  ]),
  [
    'suno',
    {prompt: 'sea shanty'},
    {success: true, data: [{id: 'a', state: 'error'}]},
    'failed',
    [{medium: 'audio', id: 'a'}],
  ],
  [
    'suno',
    {prompt: 'idea'},
    {success: true, data: [{text: 'la', title: 'Song', status: 'complete', tags: []}]},
    'succeeded',
    [{medium: 'text', text: 'la', title: 'Song'}],
  ],
  [
    'suno',
    {prompt: 'idea'},
    {success: true, data: {text: 'la', title: 'Song', status: 'complete'}},
    'succeeded',
    [{medium: 'text', text: 'la', title: 'Song'}],
  ],
  [
    'suno',
    {audio_url: 'https://files.test/own.mp3'},
    {success: true, data: {audio_id: 'up', mood: 'calm'}},
    'succeeded',
    [{medium: 'audio', id: 'up', url: 'https://files.test/own.mp3'}],
  ],
  [
    'suno',
    {audio_url: 'https://files.test/own.mp3'},
    {success: true, data: {audio_id: 'up', title: 'own', duration: 12.5}},
    'succeeded',
    [{medium: 'audio', id: 'up', url: 'https://files.test/own.mp3', title: 'own', durationSeconds: 12.5}],
  ],
  [
    'suno',
    {audio_id: 'a1'},
    {success: true, data: {video_url: video('a1')}},
    'succeeded',
    [{medium: 'video', url: video('a1')}],
  ],
]
