// Lint rules of TypeScript: typescript-eslint with types, and the house's limits. Formatting is
// Biome's (biome.json).
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'build*/',
      '.cache/',
      'node_modules/',
      'prebuilds/',
      'docs/api/',
      'test/frameworks/*/', // checked with the packages that they import, by test/frameworks/run.ts
      '**/*.d.ts',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.test.json', 'tsconfig.pages.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // An async function without await turns what it throws into a rejection, which callers expect.
      '@typescript-eslint/require-await': 'off',
      // Objects here are closures or plain data: methods of interfaces use no `this`.
      '@typescript-eslint/unbound-method': 'off',
      'max-params': ['error', 5],
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'max-len': [
        'error',
        { code: 100, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true },
      ],
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    // Tests and benches hold replies of servers and models that have no types.
    files: [
      'test/**/*.ts',
      'packages/*/test/**/*.ts',
      'bench/**/*.ts',
      'examples/**/*.ts',
      'models/**/*.ts',
    ],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
