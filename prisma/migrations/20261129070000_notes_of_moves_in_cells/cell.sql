-- Rows of this cell that were written since they were copied. Without foreign keys: each row that an organization writes adds one.
CREATE TABLE cell_move_changes (
  id bigserial PRIMARY KEY,
  organization_id uuid NOT NULL,
  table_name text NOT NULL,
  -- The id of the row; of a row of the statistics, its project.
  row_id uuid NOT NULL,
  period public."StatPeriod",
  subject_id uuid,
  starts_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX cell_move_changes_organization_id_id_idx ON cell_move_changes (organization_id, id);
