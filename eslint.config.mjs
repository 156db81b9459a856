import tseslint from 'typescript-eslint';

export default tseslint.config(
  {ignores: ['out/**', 'dist/**', 'node_modules/**', 'media/**', 'src/scanner/**', '**/*.cjs', 'scripts/**/*.d.mts']},
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {allowDefaultProject: ['*.mjs', 'scripts/*.mjs', 'vitest.config.ts']},
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', {ignoreArrowShorthand: true}],
      '@typescript-eslint/no-invalid-void-type': ['error', {allowAsThisParameter: true}],
      '@typescript-eslint/no-unnecessary-condition': ['error', {allowConstantLoopConditions: true}],
      'max-lines': ['error', {max: 400, skipBlankLines: true, skipComments: true}],
      complexity: ['error', 12],
      eqeqeq: 'error',
    },
  },
  {
    // Arguments are on the stack, which has room for about 100,000: see core/table/extremes.ts for the alternative.
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          "CallExpression[callee.object.name='Math'] > SpreadElement:not([argument.type='ArrayExpression'])",
          // These arguments are created by the extension itself.
          'CallExpression[callee.property.name=/^(push|unshift|splice|concat|fromCharCode|fromCodePoint)$/]:not([callee.object.property.name="subscriptions"]) > SpreadElement:not([argument.type="ArrayExpression"])',
          "CallExpression[callee.property.name='apply'][arguments.length=2]:not([arguments.1.type='ArrayExpression'])",
        ].map(selector => ({
          selector,
          message: 'An array of any length becomes arguments: use greatest, least or pushAll of core/table/extremes.',
        })),
      ],
    },
  },
  {
    // VS Code's lists close when a page takes the focus.
    files: ['src/host/**/*.ts'],
    ignores: ['src/host/base/ask.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['showQuickPick', 'showInputBox'].map(property => ({property, message: 'Ask with host/base/ask.ts.'})),
      ],
    },
  },
  {
    // A test that passes at its second try only hides why it failed at the first.
    files: ['test/**/*.ts', 'test/**/*.mjs', 'scripts/**/*.mjs', '**/vitest*.config.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Property[key.name="retry"]', 'Property[key.value="retry"]', 'Literal[value=/^--retry\\b/]'].map(
          selector => ({
            selector,
            message: 'A test passes at its first try: find out why it failed.',
          }),
        ),
        {
          selector:
            "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length<2]",
          message: 'A busy machine takes longer than a second: wait with patience (test/support/patience.ts).',
        },
      ],
    },
  },
  {
    // Loops over millions of numbers use an index: until V8 has optimised them, an iterator allocates an object for
    // each number.
    files: ['src/core/**/*.ts', 'src/importers/**/*.ts'],
    rules: {'@typescript-eslint/prefer-for-of': 'off'},
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: {'@typescript-eslint/explicit-module-boundary-types': 'off'},
  },
);
