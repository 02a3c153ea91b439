/** The input, a contract, comes from the command line. */
export default {
  output: { path: 'gen', module: { extension: '.js' } }, // as Node wants to import
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
}
