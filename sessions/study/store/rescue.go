package store

// This file has all SQL statements on River's tables, for operations that its client does not have (v0.31).
// TestRiverTables fails when the tables change.
var riverStatements = struct{ alive, dead, begunAhead, queuedAhead, due, lost, queued string }{
	// River regards a job as stuck by its start time, and does not check whether its worker is alive; a step may take
	// hours.
	alive: "UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND {last-by} = $1",

	// It waits until a job is stuck, even if the worker is known to have died. The attempt counts.
	dead: "UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state = 'running' AND {last-by} = $1",

	// It trusts the clocks. After one was set back, jobs must not wait until it reaches the same time again: no job was
	// started in the future, and no job of this program waits longer than a minute.
	begunAhead:  "UPDATE river_job SET attempted_at = {queue-now} WHERE state = 'running' AND attempted_at > {queue+15}",
	queuedAhead: "UPDATE river_job SET scheduled_at = {queue-now} WHERE state = 'available' AND scheduled_at > {queue+15}",

	// Only its leader releases jobs that have waited long enough, and the leader may have died.
	due: `UPDATE river_job SET state = 'available', scheduled_at = {queue-now} WHERE state IN ('scheduled', 'retryable')
		AND (scheduled_at <= {queue-now} OR scheduled_at > {queue+120})`,

	// Its list would bring all jobs of a study here, to find the cells that have none.
	lost: `SELECT number FROM cell WHERE study = $1 AND ended = '' EXCEPT
		SELECT CAST(args ->> 'cell' AS BIGINT) FROM river_job WHERE queue = $2 AND state <> 'completed'`,

	// Whether a job is waiting for a worker or has one, without counting them.
	queued: `SELECT EXISTS (SELECT 1 FROM river_job WHERE state = 'available' AND queue = $1 AND priority IN (1, 2) AND
		scheduled_at <= {queue-now}), EXISTS (SELECT 1 FROM river_job WHERE state = 'running' AND queue = $1)`,
}
