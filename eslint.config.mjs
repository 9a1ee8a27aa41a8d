import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import {plainWords} from './src/tools/plain-words.mjs'

const consoleOutput = {
  selector: 'CallExpression[callee.object.name="console"][callee.property.name=/^(log|debug|info)$/]',
  message: 'Write to the log port; only the start scripts print.',
}
const unsafeSink = {
  selector: 'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|srcDoc)$/]',
  message: 'Untrusted text reaches the page only as text or through the Markdown renderer (security R01).',
}
const moduleMock = {
  selector: 'CallExpression[callee.object.name="vi"][callee.property.name=/^(mock|doMock|resetModules)$/]',
  message:
    'Test files share the modules of a worker: a mock would reach the next file. Fill a port, or spy on an object.',
}

/** Folders whose names and comments keep to docs/glossary.md. */
const plainFolders = ['machines', 'src', 'tests/api', 'tests/contract', 'tests/sandbox', 'tests/tools', 'tests/ui']

export default tseslint.config(
  {ignores: ['dist/**', '.data/**', '.cache/**', 'node_modules/**', 'test-results/**', 'playwright-report/**']},
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: {'react-hooks': hooks},
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './machines/tsconfig.json',
          './src/server/tsconfig.json',
          './src/sandbox/tsconfig.json',
          './src/service-worker/tsconfig.json',
          './tests/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': ['error', consoleOutput, unsafeSink],
      'no-eval': 'error',
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_', varsIgnorePattern: '^_'}],
      '@typescript-eslint/consistent-type-imports': ['error', {fixStyle: 'inline-type-imports'}],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-misused-promises': ['error', {checksVoidReturn: {attributes: false}}],
    },
  },
  {
    // scripts are checked by their JSDoc types, which the linter does not need to know again; they may print
    files: ['**/*.mjs'],
    extends: [tseslint.configs.recommended],
    rules: {
      'no-eval': 'error',
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      '@typescript-eslint/no-unused-vars': ['error', {argsIgnorePattern: '^_', varsIgnorePattern: '^_'}],
    },
  },
  {
    files: plainFolders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
    plugins: {atrium: {rules: {'plain-words': plainWords}}},
    rules: {'atrium/plain-words': 'error'},
  },
  {
    files: ['tests/**', 'e2e/**'],
    rules: {
      'no-restricted-syntax': ['error', consoleOutput, unsafeSink, moduleMock],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
)
