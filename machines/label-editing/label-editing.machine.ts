import {and, assign, setup, stateIn} from 'xstate'

export type LabelEditingEvent =
  /** `labels`: all names there are. */
  | {type: 'rename.begin'; label: string; labels: readonly string[]}
  | {type: 'name.change'; name: string}
  | {type: 'rename.cancel'}
  /** `labels`: all names there are by now. */
  | {type: 'rename.confirm'; labels: readonly string[]}
  | ({type: 'label.delete'} & DeletedLabel)
  | {type: 'delete.undo'}

export type DeletedLabel = {
  label: string
  /** Keys of the conversations that carried the label. */
  keys: readonly string[]
  /** The number of its colour, if it had one. */
  colour: number | undefined
}

type Context = {
  labels: readonly string[]
  /** The label that is renamed, or was renamed or taken back last: then under its new name. */
  label: string
  name: string
  /** The deleted labels, the last one first, without those that were taken back. */
  deleted: readonly DeletedLabel[]
  /** The deletion that was taken back last, unless another label was deleted since. */
  restored?: DeletedLabel | undefined
}

/** As the server keeps it. */
const nameOf = (text: string) => text.trim().normalize('NFC')

/**
 * The names of labels in their dialog: which one is renamed, whether its new name can be taken or makes one label of
 * two, and which deletions can be taken back, one after the other. A label that is gone by now gets no other name: the
 * view says so, and what was typed stays. Owned by the dialog, ends with it; the view changes the conversations.
 */
export const labelEditingMachine = setup({
  types: {context: {} as Context, events: {} as LabelEditingEvent},
  guards: {
    /** No name is taken or given up while another is typed, which is compared with all of them. */
    isListed: stateIn({names: 'listed'}),
    isListedWithLast: and([stateIn({names: 'listed'}), ({context: {deleted}}) => deleted.length === 1]),
    isUnchanged: ({context: {label, name}}) => nameOf(name) === '' || nameOf(name) === label,
    /** No conversation carries it any more: another tab deleted it, or gave it another name. */
    isGone: ({context: {label}}, {labels}: Pick<Context, 'labels'>) => !labels.includes(label),
    isTaken: ({context: {labels, name}}) => labels.includes(nameOf(name)),
    isTakenMeanwhile: ({context: {name}}, {labels}: Pick<Context, 'labels'>) => labels.includes(nameOf(name)),
  },
  actions: {
    storeLabel: assign((_, {label, labels}: Pick<Context, 'label' | 'labels'>) => ({label, labels, name: label})),
    storeLabels: assign((_, {labels}: Pick<Context, 'labels'>) => ({labels})),
    storeName: assign((_, {name}: {name: string}) => ({name})),
    takeName: assign(({context: {name}}) => ({label: nameOf(name)})),
    storeDeleted: assign(({context: {deleted}}, {label, keys, colour}: DeletedLabel) => ({
      deleted: [{label, keys, colour}, ...deleted],
      restored: undefined,
    })),
    /** The restored label is what the user goes on with. */
    takeBack: assign(
      ({
        context: {
          label,
          deleted: [last, ...others],
        },
      }) => ({
        label: last?.label ?? label,
        deleted: others,
        restored: last,
      }),
    ),
  },
}).createMachine({
  id: 'labelEditing',
  type: 'parallel',
  context: {labels: [], label: '', name: '', deleted: []},
  states: {
    names: {
      initial: 'listed',
      states: {
        listed: {
          on: {'rename.begin': {target: 'renaming', actions: [{type: 'storeLabel', params: ({event}) => event}]}},
        },
        renaming: {
          initial: 'deciding',
          on: {
            'name.change': {target: '.deciding', actions: [{type: 'storeName', params: ({event}) => event}]},
            'rename.cancel': {target: 'listed'},
          },
          states: {
            deciding: {
              always: [
                {guard: 'isUnchanged', target: 'unchanged'},
                {guard: 'isTaken', target: 'taken'},
                {target: 'free'},
              ],
            },
            unchanged: {},
            free: {
              on: {
                'rename.confirm': [
                  {guard: {type: 'isGone', params: ({event}) => event}},
                  {
                    guard: {type: 'isTakenMeanwhile', params: ({event}) => event},
                    target: 'taken',
                    actions: [{type: 'storeLabels', params: ({event}) => event}],
                  },
                  {target: '#labelEditing.names.listed', actions: ['takeName']},
                ],
              },
            },
            taken: {
              description: 'Another label has the name: its conversations and these get one label.',
              on: {
                'rename.confirm': [
                  {guard: {type: 'isGone', params: ({event}) => event}},
                  {target: '#labelEditing.names.listed', actions: ['takeName']},
                ],
              },
            },
          },
        },
      },
    },
    deletion: {
      initial: 'none',
      on: {
        'label.delete': {
          guard: 'isListed',
          target: '.undoable',
          actions: [{type: 'storeDeleted', params: ({event}) => event}],
        },
      },
      states: {
        none: {},
        undoable: {
          on: {
            'delete.undo': [
              {guard: 'isListedWithLast', target: 'none', actions: ['takeBack']},
              {guard: 'isListed', actions: ['takeBack']},
            ],
          },
        },
      },
    },
  },
})
