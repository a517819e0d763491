import { text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Reads the statement timeout of a session, in milliseconds or with a unit; `0` for none. */
export const readStatementTimeout = statement("SELECT current_setting('statement_timeout') AS timeout", {
  timeout: text,
});
