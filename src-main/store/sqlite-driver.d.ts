// The package ships its types where its "exports" hide them; its API is better-sqlite3's.
declare module 'better-sqlite3-multiple-ciphers' {
  import Database from 'better-sqlite3';

  export default Database;
}
